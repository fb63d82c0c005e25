import { formatAmount } from '@hailstone/protocol'
import {
  addressOf,
  ask,
  column,
  dateOf,
  type Figure,
  type FigureContext,
  type FigureDefinition,
  labelOf,
  tableOf,
} from './figure.ts'

/** Days that figures of days show. */
const DAYS = 90
const DAY = column('day', 'Day', 'day')

/** SQL of the days that a figure shows: the newest ones, from the first that the tables have. */
const DAYS_SHOWN = `generate_series(greatest($2::int, (select min(day) from block)), $3::int) as days (day)`
const daysShown = ({ today }: FigureContext): readonly number[] => [today - DAYS + 1, today]

/** SQL of a running sum before the days that are shown. */
const stepsBefore = (column: string): string =>
  `(select coalesce(sum(${column}), 0) from token_day where token = $1
    and day < greatest($2::int, (select min(day) from block)))`

async function overview(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('days.day')} as day, coalesce(d.active, 0) as active,
      (${stepsBefore('week_step')} + sum(coalesce(d.week_step, 0)) over (order by days.day))::int as week,
      (${stepsBefore('month_step')} + sum(coalesce(d.month_step, 0)) over (order by days.day))::int as month,
      coalesce(d.new, 0) as fresh, coalesce(d.returned, 0) as returned,
      coalesce(d.new + d.returned - d.month_step, 0) as churned, coalesce(d.microblocks, 0) as microblocks,
      coalesce(d.mined + d.miner_half + d.agent_half + d.owner_part, 0)::text as paid,
      coalesce(d.transfers, 0) as transfers, coalesce(d.rejected, 0) as rejected
    from ${DAYS_SHOWN} left join token_day d on d.token = $1 and d.day = days.day order by days.day`,
    daysShown(context),
  )
  const columns = [
    DAY,
    column('active', 'Miners of the day'),
    column('week', 'Miners of 7 days'),
    column('month', 'Miners of 30 days'),
    column('fresh', 'New'),
    column('returned', 'Returned'),
    column('churned', 'Left'),
    column('microblocks', 'Microblocks'),
    column('paid', 'Rewards', 'amount'),
    column('transfers', 'Transfers'),
    column('rejected', 'Rejected'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: ['active', 'week', 'month', 'fresh'] },
    notes: [
      'A miner counts on the days on which a microblock of it is on the chain; one that is connected and not drawn does not.',
      'Somebody left who has not mined for 30 days, and returned who mines after more than 30.',
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
    `select ${addressOf('m.account')} as account, ${labelOf('m.account')} as label, m.${by}::text as place,
      ${dateOf('m.first_day')} as first, ${dateOf('m.last_day')} as last, m.microblocks::int as microblocks,
      m.earned::text as earned, coalesce(h.amount, 0)::text as balance, ${addressOf('m.agent')} as agent
    from miner m left join holding h on h.token = m.token and h.account = m.account
    where m.token = $1 and ($2::numeric is null or (m.${by} <= $2::numeric
      and (m.${by} < $2::numeric or m.account > (select id from account where address = $3))))
    order by m.${by} desc, m.account limit $4`,
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
    `select ${dateOf('week * 7 - 3')} as week, week as start, active_week - week as age, miners
    from cohort where token = $1 order by start, age`,
  )
  const ages = Math.max(0, ...rows.map(({ age }) => Number(age)))
  const weeks = [...new Set(rows.map(({ week }) => String(week)))]
  const columns = [
    column('week', 'Week that begins on', 'day'),
    column('size', 'New miners'),
    ...Array.from({ length: ages }, (_, at) => column(`age${at + 1}`, `After ${at + 1}`, 'percent')),
  ]
  const thisWeek = Math.floor((context.today + 3) / 7)
  const table = weeks.map((week) => {
    const own = rows.filter((row) => row.week === week)
    const size = Number(own.find(({ age }) => age === 0)?.miners ?? 0)
    const start = Number(own[0]?.start ?? 0)
    const shares = Array.from({ length: ages }, (_, at): [string, number | null] => {
      const found = own.find(({ age }) => age === at + 1)
      const isPast = start + at + 1 <= thisWeek
      return [`age${at + 1}`, isPast ? Math.round((1000 * Number(found?.miners ?? 0)) / size) / 10 : null]
    })
    return { week, size, ...Object.fromEntries(shares) }
  })
  return {
    ...tableOf(columns, table),
    notes: [
      'Share of the miners of a week, by their first microblock, who mined again so many weeks later. Weeks begin on Mondays.',
    ],
  }
}

async function rewards(context: FigureContext): Promise<Figure> {
  const kinds = ['mined', 'miner_half', 'agent_half', 'owner_part'] as const
  const rows = await ask(
    context,
    `select ${dateOf('days.day')} as day,
      ${kinds.map((kind) => `coalesce(d.${kind}, 0)::text as ${kind}`).join(', ')}
    from ${DAYS_SHOWN} left join token_day d on d.token = $1 and d.day = days.day order by days.day`,
    daysShown(context),
  )
  const columns = [
    DAY,
    column('mined', 'Mining', 'amount'),
    column('miner_half', 'Half of miners', 'amount'),
    column('agent_half', 'Half of agents', 'amount'),
    column('owner_part', 'Part of the owner', 'amount'),
  ]
  return {
    ...tableOf(columns, rows),
    chart: { kind: 'lines', keys: kinds },
  }
}

async function emission(context: FigureContext): Promise<Figure> {
  const { token, today, supply } = context
  const paid = 'mined + miner_half + agent_half + owner_part'
  const [row] = await ask(
    context,
    `select coalesce(sum(${paid}) filter (where day >= $2::int - 7), 0)::text as week,
      coalesce(sum(${paid}), 0)::text as month
    from token_day where token = $1 and day between $2::int - 30 and $2::int - 1`,
    [today],
  )
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

/** Bands of balances that are no power of two of the least stake. */
const EMPTY_BAND = -9
const LOWEST_BAND = -8

function bandText(context: FigureContext, band: number): string {
  const minimum = context.token.mining?.minimumStake ?? 1n
  if (band === EMPTY_BAND) return 'nothing'
  if (band >= 0) return `from ${show(context, minimum << BigInt(band))}`
  // A part of the least stake, rounded up: the least number of units that is in the band.
  const partOf = (power: number): string => show(context, -(-minimum >> BigInt(power)))
  return band === LOWEST_BAND ? `below ${partOf(-LOWEST_BAND - 1)}` : `from ${partOf(-band)}`
}

async function stakes(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select band::int as band, holders, miners from stake_band
    where token = $1 and (holders <> 0 or miners <> 0) order by band`,
  )
  const named = rows.map((row) => ({ ...row, band: bandText(context, Number(row.band)) }))
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
    `select ${addressOf('n.account')} as account, ${labelOf('n.account')} as label,
      coalesce(h.amount, 0)::text as balance, ($2::numeric - coalesce(h.amount, 0))::text as missing,
      ${dateOf('n.last_day')} as last
    from miner n left join holding h on h.token = n.token and h.account = n.account
    where n.token = $1 and coalesce(h.amount, 0) < $2::numeric order by n.last_height desc, n.account limit 200`,
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
    `select ${dateOf('b.day')} as day, s.text as payer, ${addressOf('t.receiver')} as receiver,
      t.amount::text as amount, t.fee::text as fee,
      (array['duplicate', 'rejected', 'confirmed'])[t.status] as status, t.hash
    from transfer t join block b on b.height = t.height join account a on a.id = t.sender
      join hailstone_console.label s on s.address = a.address and s.kind = 'payer'
    where t.token = $1 order by t.height desc, t.ordinal desc limit 200`,
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

/** Macroblocks that figures of the newest time look at. */
const NEWEST = 240

async function health(context: FigureContext): Promise<Figure> {
  const supply = String(context.supply)
  const shareOf = (top: number): string =>
    `(select round(100 * coalesce(sum(amount), 0) / nullif($2::numeric, 0), 1)::float8
        from (select amount from holding where token = $1 order by amount desc limit ${top}) t) as top${top}`
  const [row] = await ask(
    context,
    `with newest as (select max(height) - ${NEWEST} as height from block)
    select (select coalesce(sum(holders) filter (where band > ${EMPTY_BAND}), 0)::int from stake_band where token = $1) as holders,
      (select coalesce(sum(miners), 0)::int from stake_band where token = $1) as miners,
      (select count(distinct m.height)::int from microblock m, newest
        where m.token = $1 and m.height > newest.height) as mined,
      (select round(100 * coalesce(avg((t.status = 2)::int), 0), 1)::float8 from transfer t, newest
        where t.token = $1 and t.height > newest.height) as rejected,
      (select count(*)::int from unexplained where token = $1) as unexplained,
      ${[1, 10, 100].map(shareOf).join(',\n      ')}`,
    [supply],
  )
  const rows = [
    { name: 'Holders', value: String(row?.holders ?? 0) },
    { name: 'Miners so far', value: String(row?.miners ?? 0) },
    { name: 'Share of the largest holder', value: `${row?.top1 ?? 0} %` },
    { name: 'Share of the largest 10', value: `${row?.top10 ?? 0} %` },
    { name: 'Share of the largest 100', value: `${row?.top100 ?? 0} %` },
    { name: `Mined macroblocks of the newest ${NEWEST}`, value: String(row?.mined ?? 0) },
    { name: `Rejected transfers in the newest ${NEWEST} macroblocks`, value: `${row?.rejected ?? 0} %` },
    { name: 'Amounts with another value than computed', value: String(row?.unexplained ?? 0) },
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
