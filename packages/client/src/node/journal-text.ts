import { openLine } from '../payments/journal-line.ts'
import type { JournalContent } from '../payments/journal-store.ts'

/** Parsed content of a journal file. */
export type JournalText = {
  readonly content: JournalContent
  /** The file is cut to this length … */
  readonly keptBytes: number
  /** Text that is appended after that. */
  readonly repair: string
}

/** A file that is no journal, or none that this program knows how to read. */
export type NoJournalText = { readonly refusal: string }

const withoutZeros = (text: string): string => text.replace(/\0+$/, '')

/**
 * Reads a journal file. Whole lines whose checksum does not fit were damaged: they were stored once. What follows
 * the last line was being written when the program ended, and counts for nothing, unless it is a whole record
 * that lacks its line end alone.
 *
 * @param text one character per byte
 * @param magic the first line
 */
export function readJournalText(text: string, magic: string): JournalText | NoJournalText {
  const written = withoutZeros(text)
  // Ended while the very first line was written.
  if (magic.startsWith(written)) return empty(magic, written.length)
  if (!written.startsWith(magic)) return { refusal: whyNoJournal(written, magic) }
  const end = written.lastIndexOf('\n') + 1
  const lines = end > magic.length ? written.slice(magic.length, end - 1).split('\n') : []
  const tail = written.slice(end)
  const rescued = openLine(tail) ?? openLine(tail.slice(0, -1))
  const opened = [...lines.map(openLine), ...(rescued === null ? [] : [rescued])]
  const records = opened.filter((record) => record !== null)
  const keptBytes = rescued === null ? end : end + 9 + rescued.length
  return {
    content: {
      records,
      damagedRecords: opened.length - records.length,
      tornBytes: written.length - Math.min(written.length, keptBytes),
    },
    keptBytes,
    repair: rescued === null ? '' : '\n',
  }
}

const empty = (magic: string, tornBytes: number): JournalText => ({
  content: { records: [], damagedRecords: 0, tornBytes: tornBytes === magic.length ? 0 : tornBytes },
  keptBytes: 0,
  repair: magic,
})

function whyNoJournal(written: string, magic: string): string {
  const number = (line: string): number => Number(/^hailstone journal (\d{1,9})\n/.exec(line)?.[1] ?? 0)
  return number(written) > number(magic)
    ? 'a newer version of this program wrote it'
    : 'it is another kind of file'
}
