import { openLine, sealLine } from './journal-line.ts'
import type { JournalStore } from './journal-store.ts'

/** A journal that lasts as long as its lines do: for tests, and for programs that accept that a crash forgets. */
export function createMemoryJournal(lines: string[] = []): JournalStore {
  return {
    read: async () => {
      const opened = lines.map(openLine)
      const records = opened.filter((record) => record !== null)
      return { records, damagedRecords: opened.length - records.length, tornBytes: 0 }
    },
    append: async (json) => {
      lines.push(sealLine(json))
    },
    replace: async (records) => {
      lines.splice(0, lines.length, ...records.map(sealLine))
    },
    close: async () => undefined,
  }
}
