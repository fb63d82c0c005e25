import type { Address } from '@hailstone/protocol'
import { addressOf, ask, askChain, type Cell, dateOf, type FigureContext } from './figure.ts'
import { countMicroblocks, readStakeTimes, type StakeTimes } from './stake-times.ts'

/** Facts about one account in the days that are asked for. */
export type AccountFacts = {
  /** Asked days in words, such as "in these 7 days". */
  readonly inDays: string
  readonly balance: bigint | null
  readonly supply: bigint
  readonly macroblocks: number
  readonly mined: number
  /** The newest microblock of the account. */
  readonly last: { readonly height: number; readonly day: string } | undefined
  /** Times with and without the least stake in the asked days. */
  readonly stakeTimes: StakeTimes
  /** Microblocks that it might have had: of the days after its newest one, or of the asked days if it never had one. */
  readonly chances: {
    /** With those in whose time it was below the least stake. */
    readonly all: number
    /** While it had the least stake. */
    readonly withStake: number
    /** Height up to which it is not known whether it had the stake; nothing below is in `withStake`. */
    readonly unknownTo: number | null
  }
  /** Newest microblocks of the account in the asked days, up to `OWN_READ`. */
  readonly own: readonly Readonly<Record<string, Cell>>[]
  /** All of them, and what they paid the account, as units of the token. */
  readonly paid: { readonly microblocks: number; readonly units: bigint }
  /** The newest reward that is not what the rules give. */
  readonly different: Readonly<Record<string, Cell>> | undefined
  readonly rivals: bigint
  readonly sent: Readonly<Record<string, Cell>> | undefined
  readonly rejected: Readonly<Record<string, Cell>> | undefined
  /** Changes of the agent in the asked days, the newest first. */
  readonly agentChanges: readonly Readonly<Record<string, Cell>>[]
}

/** Microblocks of an account that are read with all that explains them. */
const OWN_READ = 500

/** Newest days of which the miners are the rivals of an account that was silent for longer. */
const RIVAL_DAYS = 7

/** Returns the first height of a day. Chain days never go back, so days are heights, by which rows are found. */
async function heightOf(context: FigureContext, day: number): Promise<number> {
  const [first] = await askChain(
    context,
    'select height from block where day >= $1 order by day, height limit 1',
    [day],
  )
  return Number(first?.height ?? 2 ** 31 - 1)
}

async function chancesIn(context: FigureContext, times: StakeTimes): Promise<AccountFacts['chances']> {
  const withStake = await countMicroblocks(context, times.enough)
  const withoutStake = await countMicroblocks(context, times.below)
  return { withStake, all: withStake + withoutStake, unknownTo: times.unknownTo }
}

/** Returns the weight of those who mined from a height on. */
async function rivalsOf(context: FigureContext, account: number, fromHeight: number): Promise<bigint> {
  const coin = String(10n ** BigInt(context.token.decimals))
  const [rivals] = await ask(
    context,
    `select coalesce(sum(500 + floor(floor(h.amount / $2::numeric) / 5)), 0)::text as weight
    from (select account from miner where token = $1 and last_height >= $3 and account <> $4) as m
      cross join lateral (select amount from holding where token = $1 and account = m.account limit 1) as h`,
    [coin, fromHeight, account],
  )
  return BigInt(rivals?.weight ?? 0)
}

/**
 * Reads what the explanation of an account rests on.
 *
 * @param days counted back from the newest chain day
 */
export async function readAccountFacts(
  context: FigureContext,
  address: Address,
  days: number,
): Promise<AccountFacts> {
  const { token, today, supply } = context
  const from = today - days + 1
  const one = async (text: string, values: readonly unknown[]) => (await ask(context, text, values))[0]
  const fromHeight = await heightOf(context, from)
  const [known] = await askChain(context, 'select id from account where address = $1', [address])
  const account = Number(known?.id ?? 0)
  const held = await one('select amount::text as amount from holding where token = $1 and account = $2', [
    account,
  ])
  const period = await one(
    'select coalesce(sum(blocks), 0)::int as mined from token_day where token = $1 and day >= $2',
    [from],
  )
  const [macroblocks] = await askChain(
    context,
    'select (max(height) - $1::int + 1)::int as count from block',
    [fromHeight],
  )
  const own = await ask(
    context,
    `select m.hash, m.height, ${addressOf('m.agent')} as agent, m.stake::text as stake, peers.stake::text as total, peers.own::text as own_stake,
      peers.count::int as publishers, own.amount::text as own, coalesce(own.expected, own.amount)::text as computed,
      half.amount::text as half, agents.amount::text as agent_half
    from microblock m
      cross join lateral (select sum(n.stake) as stake, sum(n.stake) filter (where n.account = $2) as own, count(*) as count from microblock n
        where n.height = m.height and n.token = $1) as peers
      left join reward own on own.height = m.height and own.microblock = m.ordinal and own.kind = 1
      left join reward half on half.height = m.height and half.microblock = m.ordinal and half.kind = 2
      left join reward agents on agents.height = m.height and agents.microblock = m.ordinal and agents.kind = 3
    where m.token = $1 and m.account = $2 and m.height >= $3 order by m.height desc, m.ordinal limit ${OWN_READ}`,
    [account, fromHeight],
  )
  const paid = await one(
    `select (select count(*)::int from microblock where token = $1 and account = $2 and height >= $3) as microblocks,
      coalesce(sum(amount), 0)::text as units
    from reward where token = $1 and account = $2 and height >= $3 and kind in (1, 2)`,
    [account, fromHeight],
  )
  const different = await one(
    `select r.height, m.hash, r.amount::text as own, r.expected::text as computed
    from reward r left join microblock m on m.height = r.height and m.ordinal = r.microblock
    where r.token = $1 and r.account = $2 and r.height >= $3 and r.kind = 1 and r.expected <> r.amount
    order by r.height desc limit 1`,
    [account, fromHeight],
  )
  const last = await one(
    `select last_height as height, last_day, ${dateOf('last_day')} as day from miner where token = $1 and account = $2`,
    [account],
  )
  const balance = held === undefined ? null : BigInt(held.amount ?? 0)
  const isBelow = (balance ?? 0n) < (token.mining?.minimumStake ?? 0n)
  const timesAfter = (height: number) => readStakeTimes(context, { account, after: height - 1, isBelow })
  const chancesFrom = last === undefined ? fromHeight : await heightOf(context, Number(last.last_day) + 1)
  const rivalsFrom =
    last === undefined
      ? fromHeight
      : Math.max(Number(last.height), await heightOf(context, today - RIVAL_DAYS + 1))
  const sent = await one(
    `select hash, height, amount::text as amount, ${addressOf('receiver')} as receiver from transfer
    where token = $1 and sender = $2 and status = 3 order by height desc, ordinal desc limit 1`,
    [account],
  )
  const rejected = await one(
    `select t.hash, t.height, t.amount::text as amount, ${addressOf('t.sender')} as sender
    from transfer t
    where t.token = $1 and t.receiver = $2 and t.status = 2 and t.height >= $3 order by t.height desc limit 1`,
    [account, fromHeight],
  )
  // The first microblock names the first agent, which is no change.
  const agentChanges = await ask(
    context,
    `select ${addressOf('agent')} as agent, ${addressOf('before')} as before, c.height from (
      select agent, height, lag(agent) over (order by height) as before from agent_change
      where token = $1 and account = $2) as c
    where c.height >= $3 and c.height > (select first_height from miner where token = $1 and account = $2)
    order by c.height desc`,
    [account, fromHeight],
  )
  return {
    inDays: days === 1 ? 'on this day' : `in these ${days} days`,
    ...{ balance, supply },
    macroblocks: Number(macroblocks?.count ?? 0),
    mined: Number(period?.mined ?? 0),
    stakeTimes: await timesAfter(fromHeight),
    chances: await chancesIn(context, await timesAfter(chancesFrom)),
    paid: { microblocks: Number(paid?.microblocks ?? 0), units: BigInt(paid?.units ?? 0) },
    ...{ own, different, sent, rejected, agentChanges },
    rivals: await rivalsOf(context, account, rivalsFrom),
    last: last && { height: Number(last.height), day: String(last.day) },
  }
}
