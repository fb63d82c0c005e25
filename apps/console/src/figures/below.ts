import {
  addressOf,
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  labelOf,
  tableOf,
} from './figure.ts'

export async function below(context: FigureContext): Promise<Figure> {
  const minimum = context.token.mining?.minimumStake ?? 0n
  const rows = await ask(
    context,
    `select ${addressOf('n.account')} as account, ${labelOf('n.account')} as label,
      coalesce(h.amount, 0)::text as balance, ($2::numeric - coalesce(h.amount, 0))::text as missing,
      ${dateOf('n.last_day')} as last
    from miner n left join holding h on h.token = n.token and h.account = n.account
    where n.token = $1 and n.is_below order by n.last_height desc, n.account limit 200`,
    [String(minimum)],
  )
  const columns = [
    column('account', 'Miner', 'address'),
    column('label', 'Label', 'text'),
    column('balance', 'Balance', 'amount', 'down'),
    column('missing', 'Missing', 'amount', 'up'),
    column('last', 'Last day', 'day'),
  ]
  return {
    ...tableOf(columns, rows),
    notes: [
      'The newest 200 miners whose balance is below the least stake: they cannot mine.',
      'What is missing is rounded up and a balance down. Each shows every digit when it is pointed at.',
      ...(context.token.hasFeeInside
        ? ['The fee of a transfer comes off its amount: whoever sends what is missing adds the fee.']
        : []),
    ],
  }
}
