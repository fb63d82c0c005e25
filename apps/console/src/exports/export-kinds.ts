import type { Column } from '../figures/figure.ts'
import { csvWriter } from './csv.ts'
import { parquetWriter } from './parquet.ts'
import type { TableWriter } from './table-writer.ts'

export type ExportKind = {
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
