import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { column, type Figure } from '../figures/figure.ts'
import { parquetWriter } from './parquet.ts'

const figure: Figure = {
  columns: [
    column('day', 'Day', 'day'),
    column('paid', 'Paid', 'amount'),
    column('count', 'Count'),
    column('usual', 'Usual', 'mean'),
    column('share', 'Share', 'percent'),
    column('account', 'Account', 'address'),
  ],
  rows: [
    ['2026-01-05', '123456789012345678901234567890', 2, 1.5, '12.5', '=1+1'],
    ['1969-12-31', '-1', '9007199254740993', null, 0, 'ü, "b"\n'],
    [null, null, null, null, null, null],
  ],
}

function fileOf({ columns, rows }: Figure, token: { readonly decimals: number }): ArrayBuffer {
  const { head, add, end } = parquetWriter(columns, token)
  return new Uint8Array(Buffer.concat([head, add(rows), end()])).buffer
}

/** Amounts as they stand in the file; a reader would turn them into numbers. */
async function rowsOf(file: ArrayBuffer): Promise<readonly Record<string, unknown>[]> {
  const metadata: FileMetaData = parquetMetadata(file)
  for (const element of metadata.schema)
    if (element.converted_type === 'DECIMAL') delete element.converted_type
  return parquetReadObjects({ file, metadata })
}

const unitsOf = (bytes: unknown): bigint =>
  BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes as Uint8Array).toString('hex')}`))

it('keeps every digit of an amount, dates, whole numbers beyond 2^53, texts and what is not known', async () => {
  const rows = await rowsOf(fileOf(figure, { decimals: 10 }))
  expect(rows.map(({ paid }) => (paid == null ? null : unitsOf(paid)))).toStrictEqual([
    123456789012345678901234567890n,
    -1n,
    null,
  ])
  expect(rows.map(({ paid: _, ...row }) => row)).toMatchObject([
    { day: new Date('2026-01-05'), count: 2n, usual: 1.5, share: 12.5, account: '=1+1' },
    { day: new Date('1969-12-31'), count: 9007199254740993n, share: 0, account: 'ü, "b"\n' },
    {},
  ])
  expect(Object.values(rows[2] ?? {}).every((value) => value == null)).toBe(true)
})

it('has the decimals of the token and the units of the columns in its description', () => {
  const { schema, key_value_metadata: metadata } = parquetMetadata(fileOf(figure, { decimals: 7 }))
  expect(schema.find(({ name }) => name === 'paid')).toMatchObject({ precision: 38, scale: 7 })
  expect(JSON.parse(metadata?.find(({ key }) => key === 'units')?.value ?? '')).toMatchObject({
    day: 'day',
    paid: 'amount',
    usual: 'mean',
  })
})

it('of no rows is a table all the same', async () => {
  const file = fileOf({ ...figure, rows: [] }, { decimals: 10 })
  expect([await rowsOf(file), parquetMetadata(file).num_rows]).toStrictEqual([[], 0n])
})
