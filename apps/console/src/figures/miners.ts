import { addressOf, ask, column, dateOf, type Figure, type FigureContext, labelOf, pageOf } from './figure.ts'

export const MINER_ORDERS = ['earned', 'last', 'microblocks'] as const
export type MinersQuery = {
  readonly sort: (typeof MINER_ORDERS)[number]
  /** Value of `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Columns by which miners are sorted, with their types: an index is used for values of its own type alone. */
const orderColumns = {
  earned: { by: 'earned', value: '$3::numeric' },
  last: { by: 'last_height', value: `least($3::numeric, ${2 ** 31 - 1})::int` },
  microblocks: { by: 'microblocks', value: `least($3::numeric, ${2n ** 63n - 1n})::bigint` },
} as const

export async function miners(context: FigureContext, { sort, after, limit }: MinersQuery): Promise<Figure> {
  const { by, value } = orderColumns[sort]
  const [place, account] = after?.split(' ') ?? []
  const isAfter = `and m.${by} <= ${value}
      and (m.${by} < ${value} or m.account > (select id from account where address = $4))`
  const rows = await ask(
    context,
    `select ${addressOf('m.account')} as account, ${labelOf('m.account')} as label, m.${by}::text as place,
      ${dateOf('m.first_day')} as first, ${dateOf('m.last_day')} as last, m.microblocks::int as microblocks,
      m.earned::text as earned, coalesce(h.amount, 0)::text as balance, ${addressOf('m.agent')} as agent
    from miner m left join holding h on h.token = m.token and h.account = m.account
    where m.token = $1 ${after === undefined ? '' : isAfter}
    order by m.${by} desc, m.account limit $2`,
    [limit + 1, ...(after === undefined ? [] : [place, account])],
  )
  const columns = [
    column('account', 'Miner', 'address'),
    column('label', 'Label', 'text'),
    column('first', 'First day', 'day'),
    column('last', 'Last day', 'day'),
    column('microblocks', 'Microblocks'),
    column('earned', 'Earned', 'amount'),
    column('balance', 'Balance', 'amount', 'down'),
    column('agent', 'Agent', 'address'),
  ]
  return pageOf(columns, rows, { limit, placeOf: ({ place: of, account: who }) => `${of} ${who}` })
}
