import {
  addressOf,
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  labelOf,
  PAGE_ROWS,
  type PageQuery,
  pageOf,
} from './figure.ts'

export async function below(
  context: FigureContext,
  { after, limit = PAGE_ROWS }: PageQuery = {},
): Promise<Figure> {
  const isAfter = `and n.last_height <= $3::int
      and (n.last_height < $3::int or n.account > (select id from account where address = $4))`
  const minimum = context.token.mining?.minimumStake ?? 0n
  const rows = await ask(
    context,
    `select ${addressOf('n.account')} as account, ${labelOf('n.account')} as label,
      coalesce(h.amount, 0)::text as balance, ($2::numeric - coalesce(h.amount, 0))::text as missing,
      ${dateOf('n.last_day')} as last, n.last_height
    from miner n left join holding h on h.token = n.token and h.account = n.account
    where n.token = $1 and n.is_below ${after === undefined ? '' : isAfter}
    order by n.last_height desc, n.account limit ${limit + 1}`,
    [String(minimum), ...(after?.split(' ') ?? [])],
  )
  const columns = [
    column('account', 'Miner', 'address'),
    column('label', 'Label', 'text'),
    column('balance', 'Balance', 'amount', 'down'),
    column('missing', 'Missing', 'amount', 'up'),
    column('last', 'Last day', 'day'),
  ]
  return {
    ...pageOf(columns, rows, {
      ...{ limit, placeOf: ({ last_height: height, account }) => `${height} ${account}` },
    }),
    notes: [
      `The newest ${PAGE_ROWS} miners whose balance is below the least stake: they cannot mine. The files have all.`,
      'What is missing is rounded up and a balance down. Each shows every digit when it is pointed at.',
      ...(context.token.hasFeeInside
        ? ['The fee of a transfer comes off its amount: whoever sends what is missing adds the fee.']
        : []),
    ],
  }
}
