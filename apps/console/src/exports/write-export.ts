import type { Readable } from 'node:stream'
import type { Column, Figure } from '../figures/figure.ts'
import { csvWriter } from './csv.ts'
import { parquetWriter } from './parquet.ts'
import { createSpool } from './spool.ts'
import type { TableWriter } from './table-writer.ts'

/** Rows that are read at once. */
export const EXPORT_ROWS = 1000

type ExportKind = {
  readonly type: string
  readonly writer: (columns: readonly Column[], token: { readonly decimals: number }) => TableWriter
}

/** Files that a figure is exported as, by the ending of their names. */
export const exportKinds: Readonly<Record<string, ExportKind>> = {
  csv: { type: 'text/csv; charset=utf-8', writer: csvWriter },
  // With a mark, by which programs for tables know the letters of other languages.
  'spreadsheet.csv': {
    type: 'text/csv; charset=utf-8',
    writer: (columns, { decimals }) => csvWriter(columns, { decimals, hasMark: true }),
  },
  parquet: { type: 'application/vnd.apache.parquet', writer: parquetWriter },
}

/**
 * Writes a figure with all its pages.
 *
 * @param pageAfter returns the page after a place; the first one for undefined
 */
export async function writeExport(
  { writer: writerOf }: ExportKind,
  token: { readonly decimals: number },
  pageAfter: (after: string | undefined) => Promise<Figure>,
): Promise<{ readonly length: number; readonly stream: Readable }> {
  const spool = createSpool()
  try {
    let writer: TableWriter | undefined
    let after: string | undefined | null
    do {
      const { columns, rows, next = null }: Figure = await pageAfter(after ?? undefined)
      if (writer === undefined) {
        writer = writerOf(columns, token)
        await spool.append(writer.head)
      }
      await spool.append(writer.add(rows))
      after = next
    } while (after !== null)
    await spool.append(writer.end())
    return spool.read()
  } catch (error) {
    await spool.drop()
    throw error
  }
}
