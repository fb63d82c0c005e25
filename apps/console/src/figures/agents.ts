import {
  addressOf,
  ask,
  column,
  type Figure,
  type FigureContext,
  labelOf,
  PAGE_ROWS,
  type PageQuery,
  pageOf,
} from './figure.ts'

export async function agents(
  context: FigureContext,
  { after, limit = PAGE_ROWS }: PageQuery = {},
): Promise<Figure> {
  const isAfter = `and a.microblocks <= $3::bigint
      and (a.microblocks < $3::bigint or a.agent > (select id from account where address = $4))`
  const stake = context.token.mining?.referrerStake ?? 0n
  const rows = await ask(
    context,
    `select ${addressOf('a.agent')} as agent, ${labelOf('a.agent')} as label, a.miners,
      a.microblocks::int as microblocks, a.earned::text as earned, a.lost::text as lost,
      coalesce(h.amount, 0)::text as balance,
      case when h.amount is null then 'no balance row' when h.amount < $2::numeric then 'below the referrer stake'
        else 'has the stake' end as state,
      ${addressOf('n.agent')} as above
    from agent_total a left join holding h on h.token = a.token and h.account = a.agent
      left join miner n on n.token = a.token and n.account = a.agent
    where a.token = $1 ${after === undefined ? '' : isAfter} order by a.microblocks desc, a.agent limit ${limit + 1}`,
    [String(stake), ...(after?.split(' ') ?? [])],
  )
  const columns = [
    column('agent', 'Agent', 'address'),
    column('label', 'Campaign or label', 'text'),
    column('miners', 'Miners now'),
    column('microblocks', 'Their microblocks'),
    column('earned', 'Earned', 'amount'),
    column('lost', 'Fell to the owner', 'amount'),
    column('balance', 'Balance', 'amount', 'down'),
    column('state', 'Stake', 'text'),
    column('above', 'Its own agent', 'address'),
  ]
  return {
    ...pageOf(columns, rows, { limit, placeOf: ({ microblocks, agent }) => `${microblocks} ${agent}` }),
    notes: [
      `The ${PAGE_ROWS} agents with most microblocks; the files have all. Miners count for the agent of their newest microblock. A half falls to the owner when the agent has less than the referrer stake.`,
    ],
  }
}
