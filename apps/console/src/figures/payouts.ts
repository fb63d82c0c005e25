import { DAY } from './days.ts'
import {
  addressOf,
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  PAGE_ROWS,
  type PageQuery,
  pageOf,
} from './figure.ts'

export async function payouts(
  context: FigureContext,
  { after, limit = PAGE_ROWS }: PageQuery = {},
): Promise<Figure> {
  const place = after?.split(' ') ?? []
  const isAfter = (of: string): string =>
    after === undefined
      ? ''
      : `and ${of}height <= $2::int and (${of}height < $2::int or ${of}ordinal < $3::int)`
  // By height alone, which the index has: with the ordinal all transfers of a payer would be read.
  const rows = await ask(
    context,
    `select ${dateOf('b.day')} as day, s.text as payer, ${addressOf('t.receiver')} as receiver,
      t.amount::text as amount, t.fee::text as fee,
      (array['duplicate', 'rejected', 'confirmed'])[t.status] as status, t.hash, t.height, t.ordinal
    from hailstone_console.label s join account a on a.address = s.address
      cross join lateral (select * from transfer where sender = a.id and token = $1 ${isAfter('')}
        order by height desc fetch first ${limit + 1} rows with ties) t
      join block b on b.height = t.height
    where s.kind = 'payer' order by t.height desc, t.ordinal desc limit ${limit + 1}`,
    place,
  )
  const columns = [
    DAY,
    column('payer', 'From', 'text'),
    column('receiver', 'To', 'address'),
    column('amount', 'Amount with fee', 'amount'),
    column('fee', 'Fee', 'amount'),
    column('status', 'Status', 'text'),
    column('hash', 'Transaction', 'text'),
  ]
  return {
    ...pageOf(columns, rows, { limit, placeOf: ({ height, ordinal }) => `${height} ${ordinal}` }),
    notes: [
      `The newest ${PAGE_ROWS} transfers of accounts that an admin labelled as payers; the files have all.`,
    ],
  }
}
