import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Cell, Column, Unit } from '../figures/figure.ts'
import type { TableWriter } from './table-writer.ts'

/** Digits and bytes of the largest decimal that readers take. */
const DECIMAL = { precision: 38, type_length: 16 } as const

function elementOf({ key, unit }: Column, decimals: number): SchemaElement {
  const common = { name: key, repetition_type: 'OPTIONAL' } as const
  switch (unit) {
    case 'amount':
      return {
        ...common,
        type: 'FIXED_LEN_BYTE_ARRAY',
        converted_type: 'DECIMAL',
        scale: decimals,
        ...DECIMAL,
      }
    case 'day':
      return { ...common, type: 'INT32', converted_type: 'DATE' }
    case 'percent':
    case 'mean':
      return { ...common, type: 'DOUBLE' }
    case 'count':
    case 'height':
      return { ...common, type: 'INT64' }
    default:
      return { ...common, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  }
}

function parquetValue(cell: Cell, unit: Unit): unknown {
  if (cell === null) return null
  switch (unit) {
    case 'amount':
    case 'count':
    case 'height':
      return BigInt(cell)
    case 'day':
      return new Date(`${cell}T00:00:00Z`)
    case 'percent':
    case 'mean':
      return Number(cell)
    default:
      return String(cell)
  }
}

/**
 * Writes Parquet: amounts are decimals of coins without a loss, days are dates in UTC, columns have the names of the API,
 * and the unit of each stands in the metadata of the file. Rows that are added together are one group.
 */
export function parquetWriter(
  columns: readonly Column[],
  { decimals }: { readonly decimals: number },
): TableWriter {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map((column) => elementOf(column, decimals)),
  ]
  const units = Object.fromEntries(columns.map(({ key, unit }) => [key, unit]))
  const kvMetadata = [{ key: 'units', value: JSON.stringify(units) }]
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema, kvMetadata, createdBy: 'hailstone console' })
  /** Takes what was written; the places that the metadata names count from the start of the file. */
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  return {
    head: take(),
    add(rows) {
      const columnData: ColumnSource[] = columns.map(({ key, unit }, at) => ({
        name: key,
        data: rows.map((row) => parquetValue(row[at] ?? null, unit)),
      }))
      void file.write({ columnData, rowGroupSize: Math.max(1, rows.length) })
      return take()
    },
    end() {
      void file.finish()
      return take()
    },
  }
}
