import { addressOf, ask, column, type Figure, type FigureContext, labelOf, tableOf } from './figure.ts'

export async function agents(context: FigureContext): Promise<Figure> {
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
    where a.token = $1 order by a.microblocks desc, a.agent limit 200`,
    [String(stake)],
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
    ...tableOf(columns, rows),
    notes: [
      'The 200 agents with most microblocks. Miners count for the agent of their newest microblock. A half falls to the owner when the agent has less than the referrer stake.',
    ],
  }
}
