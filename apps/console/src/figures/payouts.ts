import { DAY } from './days.ts'
import { addressOf, ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

export async function payouts(context: FigureContext): Promise<Figure> {
  // By height alone, which the index has: with the ordinal all transfers of a payer would be read.
  const rows = await ask(
    context,
    `select ${dateOf('b.day')} as day, s.text as payer, ${addressOf('t.receiver')} as receiver,
      t.amount::text as amount, t.fee::text as fee,
      (array['duplicate', 'rejected', 'confirmed'])[t.status] as status, t.hash
    from hailstone_console.label s join account a on a.address = s.address
      cross join lateral (select * from transfer where sender = a.id and token = $1
        order by height desc limit 200) t
      join block b on b.height = t.height
    where s.kind = 'payer' order by t.height desc, t.ordinal desc limit 200`,
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
    ...tableOf(columns, rows),
    notes: ['The newest 200 transfers of accounts that an admin labelled as payers.'],
  }
}
