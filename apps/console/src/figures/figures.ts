import { formatAmount } from '@hailstone/protocol'
import {
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  type FigureDefinition,
  tableOf,
} from './figure.ts'

/** Days that figures of days show. */
const DAYS = 90
const DAY = column('day', 'Day', 'day')

const since = ({ today }: FigureContext): number => today - DAYS + 1

async function overview(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `with day as (select day, min(height) as first, max(height) as last from block where day >= $1 group by day),
      mined as (select b.day, count(*)::int as microblocks, count(distinct m.account)::int as active
        from microblock m join block b on b.height = m.height group by b.day),
      fresh as (select first_day as day, count(*)::int as fresh from miner group by first_day),
      paid as (select b.day, sum(r.amount) as paid from reward r join block b on b.height = r.height
        where r.kind <> 'dust' group by b.day),
      moved as (select b.day, count(*) filter (where status = 'confirmed')::int as transfers,
        count(*) filter (where status = 'rejected')::int as rejected
        from transfer t join block b on b.height = t.height group by b.day)
    select ${dateOf('day.day')} as day, coalesce(active, 0) as active,
      (select count(distinct m.account)::int from microblock m join block b on b.height = m.height
        where b.day between day.day - 6 and day.day) as week,
      coalesce(fresh, 0) as fresh, coalesce(microblocks, 0) as microblocks, coalesce(paid, 0)::text as paid,
      coalesce(transfers, 0) as transfers, coalesce(rejected, 0) as rejected
    from day left join mined using (day) left join fresh using (day) left join paid using (day)
      left join moved using (day) order by day.day`,
    [since(context)],
  )
  const columns = [
    DAY,
    column('active', 'Miners of the day'),
    column('week', 'Miners of 7 days'),
    column('fresh', 'New'),
    column('microblocks', 'Microblocks'),
    column('paid', 'Rewards', 'amount'),
    column('transfers', 'Transfers'),
    column('rejected', 'Rejected'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: ['active', 'week', 'fresh'] },
    notes: [
      'A miner counts on the days on which a microblock of it is on the chain; one that is connected and not drawn does not.',
    ],
  }
}

export const MINER_ORDERS = ['earned', 'last', 'microblocks'] as const
export type MinersQuery = {
  readonly sort: (typeof MINER_ORDERS)[number]
  /** Value of `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Columns by which miners are sorted; each has an index. */
const orderColumns = { earned: 'earned', last: 'last_height', microblocks: 'microblocks' } as const

async function miners(context: FigureContext, { sort, after, limit }: MinersQuery): Promise<Figure> {
  const by = orderColumns[sort]
  const [value = null, account = null] = after?.split(' ') ?? []
  const rows = await ask(
    context,
    `select m.account, l.text as label, m.${by}::text as place, ${dateOf('m.first_day')} as first, ${dateOf('m.last_day')} as last,
      m.microblocks, m.earned::text as earned, coalesce(h.amount, 0)::text as balance, m.agent
    from miner m left join holding h on h.account = m.account left join label l on l.account = m.account
    where $1::numeric is null or (m.${by}, m.account) < ($1::numeric, $2)
    order by m.${by} desc, m.account desc limit $3`,
    [value, account, limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const columns = [
    column('account', 'Miner', 'address'),
    column('label', 'Label', 'text'),
    column('first', 'First day', 'day'),
    column('last', 'Last day', 'day'),
    column('microblocks', 'Microblocks'),
    column('earned', 'Earned', 'amount'),
    column('balance', 'Balance', 'amount'),
    column('agent', 'Agent', 'address'),
  ]
  return {
    ...tableOf(columns, page),
    next: rows.length > limit && last !== undefined ? `${last.place} ${last.account}` : null,
  }
}

async function retention(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `with active as (select distinct m.account, b.day / 7 as week from microblock m join block b on b.height = m.height),
      cohort as (select a.account, n.first_day / 7 as start, a.week - n.first_day / 7 as age
        from active a join miner n on n.account = a.account)
    select ${dateOf('start * 7')} as week, start, age, count(*)::int as miners from cohort group by start, age order by start, age`,
  )
  const ages = Math.max(0, ...rows.map(({ age }) => Number(age)))
  const weeks = [...new Set(rows.map(({ week }) => String(week)))]
  const columns = [
    column('week', 'Week that begins on', 'day'),
    column('size', 'New miners'),
    ...Array.from({ length: ages }, (_, at) => column(`age${at + 1}`, `After ${at + 1}`, 'percent')),
  ]
  const table = weeks.map((week) => {
    const own = rows.filter((row) => row.week === week)
    const size = Number(own.find(({ age }) => age === 0)?.miners ?? 0)
    const start = Number(own[0]?.start ?? 0)
    const shares = Array.from({ length: ages }, (_, at): [string, number | null] => {
      const found = own.find(({ age }) => age === at + 1)
      const isPast = (start + at + 1) * 7 <= context.today
      return [`age${at + 1}`, isPast ? Math.round((1000 * Number(found?.miners ?? 0)) / size) / 10 : null]
    })
    return { week, size, ...Object.fromEntries(shares) }
  })
  return {
    ...tableOf(columns, table),
    notes: [
      'Share of the miners of a week, by their first microblock, who mined again so many weeks later. Weeks begin on Thursdays, as the days of Unix time do.',
    ],
  }
}

async function rewards(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('b.day')} as day, ${(['own', 'miner_half', 'agent_half', 'owner_part'] as const)
      .map((kind) => `coalesce(sum(r.amount) filter (where r.kind = '${kind}'), 0)::text as ${kind}`)
      .join(', ')}
    from block b left join reward r on r.height = b.height where b.day >= $1 group by b.day order by b.day`,
    [since(context)],
  )
  const columns = [
    DAY,
    column('own', 'Mining', 'amount'),
    column('miner_half', 'Half of miners', 'amount'),
    column('agent_half', 'Half of agents', 'amount'),
    column('owner_part', 'Part of the owner', 'amount'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: ['own', 'miner_half', 'agent_half', 'owner_part'] },
  }
}

async function emission(context: FigureContext): Promise<Figure> {
  const { token, today } = context
  const [row] = await ask(
    context,
    `select coalesce(sum(amount), 0)::text as paid,
      coalesce(sum(amount) filter (where b.day between $1 - 7 and $1 - 1), 0)::text as week,
      coalesce(sum(amount) filter (where b.day between $1 - 30 and $1 - 1), 0)::text as month
    from reward r join block b on b.height = r.height where r.kind <> 'dust'`,
    [today],
  )
  const supply = token.totalSupply + BigInt(row?.paid ?? 0)
  const [maxSupply, blockReward] = [token.mining?.maxSupply ?? 0n, token.mining?.blockReward ?? 0n]
  // A remainder that is smaller than a block reward is never mined (PROTOCOL 6.2).
  const left = maxSupply - supply < blockReward ? 0n : maxSupply - supply
  const endOf = (paid: bigint, days: number): string | null => {
    if (left === 0n) return 'ended'
    if (paid === 0n) return null
    const day = today + Number((left * BigInt(days)) / paid)
    return day > 2_900_000 ? null : new Date(day * 86_400_000).toISOString().slice(0, 10)
  }
  const rows = [
    { name: 'Supply', value: show(context, supply) },
    { name: 'Largest supply', value: show(context, maxSupply) },
    { name: 'Left to be mined', value: show(context, left) },
    { name: 'Block reward', value: show(context, blockReward) },
    { name: 'Last day, at the rate of 7 days', value: endOf(BigInt(row?.week ?? 0), 7) },
    { name: 'Last day, at the rate of 30 days', value: endOf(BigInt(row?.month ?? 0), 30) },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

const show = ({ token }: FigureContext, units: bigint): string =>
  `${formatAmount(units, { decimals: token.decimals })} ${token.symbol}`

async function stakes(context: FigureContext): Promise<Figure> {
  const minimum = context.token.mining?.minimumStake ?? 1n
  const rows = await ask(
    context,
    `select band, count(*)::int as holders, count(n.account)::int as miners from (
      select account, case when amount < $1::numeric then -1 else floor(log(2, amount / $1::numeric))::int end as band from holding
    ) h left join miner n on n.account = h.account group by band order by band`,
    [String(minimum)],
  )
  const named = rows.map((row) => ({
    ...row,
    band:
      row.band === -1 ? 'below the minimum' : `from ${show(context, minimum * 2n ** BigInt(row.band ?? 0))}`,
  }))
  const columns = [
    column('band', 'Balance', 'text'),
    column('holders', 'Holders'),
    column('miners', 'Of these, miners'),
  ]
  return { ...tableOf(columns, named), chart: { kind: 'bars', keys: ['holders', 'miners'] } }
}

async function below(context: FigureContext): Promise<Figure> {
  const minimum = context.token.mining?.minimumStake ?? 0n
  const rows = await ask(
    context,
    `select n.account, l.text as label, coalesce(h.amount, 0)::text as balance, ($1::numeric - coalesce(h.amount, 0))::text as missing,
      ${dateOf('n.last_day')} as last
    from miner n left join holding h on h.account = n.account left join label l on l.account = n.account
    where coalesce(h.amount, 0) < $1::numeric order by n.last_height desc, n.account limit 200`,
    [String(minimum)],
  )
  const columns = [
    column('account', 'Miner', 'address'),
    column('label', 'Label', 'text'),
    column('balance', 'Balance', 'amount'),
    column('missing', 'Missing', 'amount'),
    column('last', 'Last day', 'day'),
  ]
  return {
    ...tableOf(columns, rows),
    notes: ['The newest 200 miners whose balance is below the least stake: they cannot mine.'],
  }
}

async function agents(context: FigureContext): Promise<Figure> {
  const stake = context.token.mining?.referrerStake ?? 0n
  const rows = await ask(
    context,
    `with brought as (select agent, count(*)::int as miners from miner where agent is not null group by agent),
      work as (select agent, count(*)::int as microblocks from microblock where agent is not null group by agent),
      half as (select account, sum(amount) as earned from reward where kind = 'agent_half' group by account),
      lost as (select m.agent, sum(r.amount) as lost from microblock m join reward r on r.microblock = m.hash and r.kind = 'owner_part'
        where m.agent is not null group by m.agent)
    select work.agent, l.text as label, coalesce(brought.miners, 0) as miners, work.microblocks, coalesce(half.earned, 0)::text as earned,
      coalesce(lost.lost, 0)::text as lost, coalesce(h.amount, 0)::text as balance,
      case when h.amount is null then 'no balance row' when h.amount < $1::numeric then 'below the referrer stake' else 'has the stake' end as state,
      n.agent as above
    from work left join brought on brought.agent = work.agent left join half on half.account = work.agent
      left join lost on lost.agent = work.agent left join holding h on h.account = work.agent
      left join label l on l.account = work.agent left join miner n on n.account = work.agent
    order by work.microblocks desc, work.agent limit 200`,
    [String(stake)],
  )
  const columns = [
    column('agent', 'Agent', 'address'),
    column('label', 'Campaign or label', 'text'),
    column('miners', 'Miners now'),
    column('microblocks', 'Their microblocks'),
    column('earned', 'Earned', 'amount'),
    column('lost', 'Fell to the owner', 'amount'),
    column('balance', 'Balance', 'amount'),
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

async function payouts(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('b.day')} as day, s.text as payer, t.receiver, t.amount::text as amount, t.fee::text as fee, t.status, t.hash
    from transfer t join label s on s.account = t.sender and s.kind = 'payer' join block b on b.height = t.height
    order by t.height desc, t.ordinal desc limit 200`,
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
    notes: ['The newest 200 transfers of accounts that are labelled as payers.'],
  }
}

async function health(context: FigureContext): Promise<Figure> {
  const [row] = await ask(
    context,
    `select (select count(*)::int from holding where amount > 0) as holders,
      (select count(*)::int from miner) as miners,
      (select count(distinct height)::int from microblock where height > (select max(height) from block) - 240) as mined,
      (select round(100 * coalesce(avg((status = 'rejected')::int), 0), 1)::float8 from transfer
        where height > (select max(height) from block) - 240) as rejected,
      (select count(*)::int from microblock m join reward r on r.microblock = m.hash and r.kind = 'own'
        where m.stated_reward is not null and m.stated_reward <> r.amount) as unexplained, ${[1, 10, 100]
          .map(
            (
              top,
            ) => `(select round(100 * coalesce(sum(amount), 0) / nullif((select sum(amount) from holding), 0), 1)::float8
        from (select amount from holding order by amount desc limit ${top}) t) as top${top}`,
          )
          .join(', ')}`,
  )
  const rows = [
    { name: 'Holders', value: String(row?.holders ?? 0) },
    { name: 'Miners so far', value: String(row?.miners ?? 0) },
    { name: 'Share of the largest holder', value: `${row?.top1 ?? 0} %` },
    { name: 'Share of the largest 10', value: `${row?.top10 ?? 0} %` },
    { name: 'Share of the largest 100', value: `${row?.top100 ?? 0} %` },
    { name: 'Mined macroblocks of the newest 240', value: String(row?.mined ?? 0) },
    { name: 'Rejected transfers in the newest 240 macroblocks', value: `${row?.rejected ?? 0} %` },
    { name: 'Microblocks with another reward than computed', value: String(row?.unexplained ?? 0) },
  ]
  return tableOf([column('name', 'Figure', 'text'), column('value', 'Value', 'text')], rows)
}

/** Every figure by its name in the API. Page, API and export call these and nothing else. */
export const figures = {
  overview: {
    title: 'Overview',
    summary: 'Miners, microblocks, rewards and transfers of each of 90 days.',
    compute: overview,
  },
  miners: {
    title: 'Miners',
    summary: 'Everybody who ever mined the token, by what was earned, by microblocks, or the newest first.',
    compute: miners,
  } satisfies FigureDefinition<MinersQuery>,
  retention: {
    title: 'Retention',
    summary: 'Share of the new miners of each week who mined again in later weeks.',
    compute: retention,
  },
  rewards: { title: 'Rewards', summary: 'Units paid on each of 90 days, by kind.', compute: rewards },
  emission: {
    title: 'Emission',
    summary: 'Supply, its limit, and the day on which nothing is left to be mined.',
    compute: emission,
  },
  stakes: { title: 'Stakes', summary: 'Holders in powers of two of the least stake.', compute: stakes },
  below: {
    title: 'Below the stake',
    summary: 'Miners whose balance is below the least stake.',
    compute: below,
  },
  agents: {
    title: 'Agents',
    summary: 'Referral agents and campaigns with what they brought and earned.',
    compute: agents,
  },
  payouts: { title: 'Payouts', summary: 'Transfers of labelled payers.', compute: payouts },
  health: {
    title: 'Health',
    summary: 'Holders, shares, rejected transfers, and rewards that are not as computed.',
    compute: health,
  },
} as const

export type FigureName = keyof typeof figures
