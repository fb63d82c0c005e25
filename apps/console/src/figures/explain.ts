import { type Address, formatAmount, stakeShare, tokenMiningPool } from '@hailstone/protocol'
import { amountText } from './amount-text.ts'
import { addressOf, ask, askChain, type Cell, dateOf, type FigureContext } from './figure.ts'

/** Reason why a reward came, came smaller, or did not come. */
export type VerdictCode =
  | 'NOT_YET'
  | 'NO_ROW'
  | 'BELOW_STAKE'
  | 'EMISSION_OVER'
  | 'NOT_MINED'
  | 'PAID'
  | 'PAID_LESS'
  | 'AGENT_NO_ROW'
  | 'AGENT_BELOW'
  | 'AGENT_OTHER'
  | 'REJECTED'
  | 'UNLUCKY'
  | 'NOT_SEEN'
  | 'UNEXPLAINED'

export type Verdict = {
  readonly code: VerdictCode
  readonly sentence: string
  readonly nextStep: string
  /** Heights, hashes, amounts and addresses that the verdict rests on. */
  readonly evidence: Readonly<Record<string, Cell>>
}

/** Facts about one account in the days that are asked for. */
type Facts = {
  /** Asked days in words, such as "in these 7 days". */
  readonly inDays: string
  readonly balance: bigint | null
  readonly supply: bigint
  readonly macroblocks: number
  readonly mined: number
  /** Microblocks of the asked days. */
  readonly microblocks: number
  /** Microblocks of the asked days since the account got its first coins. */
  readonly chances: number
  /** The newest microblock of the account, and how many others had on the days after its day. */
  readonly last: { readonly height: number; readonly day: string; readonly chancesAfter: number } | undefined
  readonly own: readonly Readonly<Record<string, Cell>>[]
  readonly rivals: bigint
  readonly sent: Readonly<Record<string, Cell>> | undefined
  readonly rejected: Readonly<Record<string, Cell>> | undefined
  /** Changes of the agent in the asked days, the newest first. */
  readonly agentChanges: readonly Readonly<Record<string, Cell>>[]
}

/** Below this probability of no microblock at all, luck is no explanation any more. */
const LUCK_LIMIT = 0.01
/** Weight of a draw: 500 and a fifth of the stake in coins (PROTOCOL 5.7). */
const weightOf = (coins: bigint): bigint => (coins === 0n ? 0n : 500n + coins / 5n)

async function factsOf(context: FigureContext, address: Address, days: number): Promise<Facts> {
  const { token, today, supply } = context
  const from = today - days + 1
  const one = async (text: string, values: readonly unknown[]) => (await ask(context, text, values))[0]
  const coin = String(10n ** BigInt(token.decimals))
  // Chain days never go back, so the days are heights, by which the rows are found.
  const [first] = await askChain(context, 'select min(height) as height from block where day >= $1', [from])
  const fromHeight = Number(first?.height ?? 2 ** 31 - 1)
  const [known] = await askChain(context, 'select id from account where address = $1', [address])
  const account = Number(known?.id ?? 0)
  const held = await one('select amount::text as amount from holding where token = $1 and account = $2', [
    account,
  ])
  const period = await one(
    `select count(distinct m.height)::int as mined, count(*)::int as microblocks, count(*) filter (where m.height > coalesce((
        select min(height) from transfer where token = $1 and receiver = $3 and status = 3), -1))::int as chances
    from microblock m where m.token = $1 and m.height >= $2`,
    [fromHeight, account],
  )
  const [macroblocks] = await askChain(context, 'select count(*)::int as count from block where day >= $1', [
    from,
  ])
  const own = await ask(
    context,
    `select m.hash, m.height, ${addressOf('m.agent')} as agent, m.stake::text as stake, peers.stake::text as total,
      peers.count::int as publishers, own.amount::text as own, coalesce(own.expected, own.amount)::text as computed,
      half.amount::text as half, agents.amount::text as agent_half
    from microblock m
      cross join lateral (select sum(n.stake) as stake, count(*) as count from microblock n
        where n.height = m.height and n.token = $1) as peers
      left join reward own on own.height = m.height and own.microblock = m.ordinal and own.kind = 1
      left join reward half on half.height = m.height and half.microblock = m.ordinal and half.kind = 2
      left join reward agents on agents.height = m.height and agents.microblock = m.ordinal and agents.kind = 3
    where m.token = $1 and m.account = $2 and m.height >= $3 order by m.height desc, m.ordinal limit 500`,
    [account, fromHeight],
  )
  const last = await one(
    `select last_height as height, ${dateOf('last_day')} as day, (select coalesce(sum(d.microblocks), 0)::int
      from token_day d where d.token = $1 and d.day > last_day) as chances
    from miner where token = $1 and account = $2`,
    [account],
  )
  const rivals = await one(
    `select coalesce(sum(500 + floor(floor(h.amount / $2::numeric) / 5)), 0)::text as weight
    from (select distinct account from microblock where token = $1 and height >= $3 and account <> $4) as m
      cross join lateral (select amount from holding where token = $1 and account = m.account limit 1) as h`,
    [coin, fromHeight, account],
  )
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
    balance: held === undefined ? null : BigInt(held.amount ?? 0),
    supply,
    macroblocks: Number(macroblocks?.count ?? 0),
    mined: Number(period?.mined ?? 0),
    microblocks: Number(period?.microblocks ?? 0),
    chances: Number(period?.chances ?? 0),
    ...{ own, sent, rejected, agentChanges, rivals: BigInt(rivals?.weight ?? 0) },
    last: last && { height: Number(last.height), day: String(last.day), chancesAfter: Number(last.chances) },
  }
}

/**
 * Explains the rewards of an account in the newest days: every reason that holds, the most telling first.
 *
 * @param days counted back from the newest chain day
 */
export async function explain(
  context: FigureContext,
  { address, days }: { readonly address: Address; readonly days: number },
): Promise<readonly Verdict[]> {
  if (context.today < 0) return [notYet]
  const facts = await factsOf(context, address, days)
  const verdicts = [
    stakeVerdict(context, facts),
    chainVerdict(context, facts),
    ...paidVerdicts(context, facts),
    ...agentVerdicts(context, facts),
    rejectedVerdict(context, facts),
    luckVerdict(context, facts),
  ]
  return verdicts.filter((one) => one !== null)
}

const notYet: Verdict = {
  code: 'NOT_YET',
  sentence: 'No macroblock of this token has been read yet.',
  nextStep: 'Wait until the page shows a height.',
  evidence: {},
}

const show = ({ token }: FigureContext, units: bigint): string =>
  `${formatAmount(units, { decimals: token.decimals })} ${token.symbol}`

function stakeVerdict(context: FigureContext, { balance, last, sent }: Facts): Verdict | null {
  const minimum = context.token.mining?.minimumStake ?? 0n
  const needed = show(context, minimum)
  if (balance === null)
    return {
      code: 'NO_ROW',
      sentence: `The account never had a balance in ${context.token.symbol}; its microblocks are refused.`,
      nextStep: `It needs ${needed}. Send it some, and it can mine from the next macroblock on.`,
      evidence: { minimumStake: String(minimum) },
    }
  if (balance >= minimum) return null
  return {
    code: 'BELOW_STAKE',
    sentence: `The balance of ${show(context, balance)} is below the least stake of ${needed}; its microblocks are refused.`,
    nextStep: `${show(context, minimum - balance)} are missing.`,
    evidence: {
      balance: String(balance),
      minimumStake: String(minimum),
      missing: String(minimum - balance),
      lastMinedHeight: last?.height ?? null,
      lastPaymentOut: sent?.hash ?? null,
    },
  }
}

function chainVerdict(context: FigureContext, { supply, macroblocks, mined, inDays }: Facts): Verdict | null {
  const { mining, symbol } = context.token
  if (mining !== null && mining.blockReward > mining.maxSupply - supply)
    return {
      code: 'EMISSION_OVER',
      sentence: `${symbol} is not mined any more: less than one block reward is left below its largest supply.`,
      nextStep: 'Nothing brings rewards back; the largest supply of a token never changes.',
      evidence: { supply: String(supply), maxSupply: String(mining.maxSupply) },
    }
  if (mined > 0) return null
  return {
    code: 'NOT_MINED',
    sentence: `None of the ${macroblocks} macroblocks ${inDays} has a microblock in ${symbol}.`,
    nextStep:
      'Look whether anybody is connected, and whether transactions wait: without them nothing is offered.',
    evidence: { macroblocks },
  }
}

function paidVerdicts(context: FigureContext, { own, sent, inDays }: Facts): readonly Verdict[] {
  const [newest] = own
  if (newest === undefined) return []
  const paid = own.reduce((sum, row) => sum + BigInt(row.own ?? 0) + BigInt(row.half ?? 0), 0n)
  const different = own.find(({ own: shown, computed }) => shown !== null && shown !== computed)
  const verdicts: Verdict[] = [
    {
      code: 'PAID',
      sentence: `${own.length === 1 ? 'One microblock' : `${own.length} microblocks`} paid ${show(context, paid)} ${inDays}, the newest at height ${newest.height}.`,
      nextStep:
        sent === undefined
          ? 'Nothing was sent away; the balance holds it.'
          : `The newest payment out was ${show(context, BigInt(sent.amount ?? 0))} at height ${sent.height}.`,
      evidence: {
        height: newest.height ?? null,
        microblock: newest.hash ?? null,
        paid: String(paid),
        lastPaymentOut: sent?.hash ?? null,
      },
    },
    ...lessVerdicts(context, own),
  ]
  if (different === undefined) return verdicts
  return [
    ...verdicts,
    {
      code: 'UNEXPLAINED',
      sentence: `At height ${different.height} the network states another reward than the rules give.`,
      nextStep: 'Compare with another API, and tell the operator of the network both amounts.',
      evidence: {
        microblock: different.hash ?? null,
        stated: different.own ?? null,
        computed: different.computed ?? null,
      },
    },
  ]
}

/** Explains the newest reward that is less than the rules give, or else the newest one that others had a share of. */
function lessVerdicts(context: FigureContext, own: Facts['own']): readonly Verdict[] {
  const { mining } = context.token
  const pool = mining === null ? 0n : tokenMiningPool({ ...mining, totalSupply: 0n })
  const rewards = own.map((row) => ({
    ...{ height: Number(row.height), hash: row.hash ?? null, publishers: Number(row.publishers) },
    ...{ paid: BigInt(row.own ?? 0), byRules: BigInt(row.computed ?? 0) },
    ...{ stake: BigInt(row.stake ?? 0), totalStake: BigInt(row.total ?? 0) },
  }))
  const less =
    rewards.find(({ paid, byRules }) => paid < byRules) ??
    rewards.find(({ stake, totalStake }) => stake < totalStake)
  if (less === undefined) return []
  const { height, hash, publishers, paid, byRules, stake, totalStake } = less
  const isShared = paid >= byRules
  const share = stakeShare({ stake, totalStake, pool: 1000n })
  const short = amountText(String(paid), context.token, 'down')
  const got = short === '0' ? show(context, paid) : `${short} ${context.token.symbol}`
  return [
    {
      code: 'PAID_LESS',
      sentence: isShared
        ? `The reward at height ${height} was ${got} and not all ${show(context, pool)}: ${publishers} microblocks shared the macroblock by their stake, and this one had ${Number(share) / 10} % of it.`
        : `The reward at height ${height} was ${show(context, paid)}, where the rules give ${show(context, byRules)}.`,
      nextStep: isShared
        ? 'More stake, or fewer others in the same macroblock, make a larger share.'
        : 'Compare with another API, and tell the operator of the network both amounts.',
      evidence: {
        ...{ height, microblock: hash, paid: String(paid), byRules: String(byRules), pool: String(pool) },
        ...{ stake: String(stake), totalStake: String(totalStake), microblocks: publishers },
      },
    },
  ]
}

function agentVerdicts(context: FigureContext, { own, agentChanges, inDays }: Facts): readonly Verdict[] {
  const verdicts: Verdict[] = []
  const newest = own.find(({ agent }) => agent !== null)
  const needed = show(context, context.token.mining?.referrerStake ?? 0n)
  if (newest !== undefined && newest.half === null)
    verdicts.push({
      code: 'AGENT_NO_ROW',
      sentence: `The agent never had a balance in ${context.token.symbol}: no half was paid, all of it fell to the owner of the token.`,
      nextStep: `With any balance of the agent the miner gets its half; for its own half the agent needs ${needed}.`,
      evidence: {
        agent: newest.agent ?? null,
        height: newest.height ?? null,
        microblock: newest.hash ?? null,
      },
    })
  else if (newest !== undefined && newest.agent_half === null)
    verdicts.push({
      code: 'AGENT_BELOW',
      sentence: `The agent had less than ${needed}: the miner got its half, the half of the agent fell to the owner of the token.`,
      nextStep: `The agent needs ${needed} when a macroblock closes.`,
      evidence: {
        agent: newest.agent ?? null,
        height: newest.height ?? null,
        microblock: newest.hash ?? null,
      },
    })
  const [change] = agentChanges
  if (change !== undefined)
    verdicts.push({
      code: 'AGENT_OTHER',
      sentence: `The microblocks changed their agent ${agentChanges.length === 1 ? 'once' : `${agentChanges.length} times`} ${inDays}: since height ${change.height} they name ${change.agent === null ? 'none' : 'another one'}.`,
      nextStep: 'The app sends the agent with each microblock. Enter the code that is meant.',
      evidence: {
        agentNow: change.agent ?? 'none',
        agentBefore: change.before ?? 'none',
        changedAtHeight: change.height ?? null,
        changes: agentChanges.length,
      },
    })
  return verdicts
}

function rejectedVerdict(context: FigureContext, { rejected }: Facts): Verdict | null {
  if (rejected === undefined) return null
  return {
    code: 'REJECTED',
    sentence: `A payment of ${show(context, BigInt(rejected.amount ?? 0))} to the account was rejected at height ${rejected.height}.`,
    nextStep: 'Look whether sender and owner of the token can pay their fees, and pay anew.',
    evidence: {
      hash: rejected.hash ?? null,
      height: rejected.height ?? null,
      sender: rejected.sender ?? null,
    },
  }
}

/** Weighs the chance of no microblock: from the newest one of the account on, or in the asked days if it has none. */
function luckVerdict(context: FigureContext, facts: Facts): Verdict | null {
  const { own, balance, rivals, mined, last } = facts
  const minimum = context.token.mining?.minimumStake ?? 0n
  if (own.length > 0 || balance === null || balance < minimum || mined === 0) return null
  const chances = last?.chancesAfter ?? facts.chances
  const weight = weightOf(balance / 10n ** BigInt(context.token.decimals))
  const expected = (chances * Number(weight)) / Number(weight + rivals)
  const none = Math.exp(-expected)
  const evidence = {
    lastMinedDay: last?.day ?? null,
    lastMinedHeight: last?.height ?? null,
    microblocks: chances,
    expected: Math.round(expected * 100) / 100,
    probabilityOfNone: Math.round(none * 10_000) / 10_000,
  }
  const seen = `${chancesText(facts)} about ${expected.toFixed(1)} would have been its own, if it was connected all the time.`
  if (none >= LUCK_LIMIT)
    return {
      code: 'UNLUCKY',
      sentence: `${seen} None is: that happens by chance with a probability of ${(none * 100).toFixed(0)} %.`,
      nextStep: 'Stay connected. More stake makes a draw more likely.',
      evidence,
    }
  return {
    code: 'NOT_SEEN',
    sentence: `${seen} None is, which chance does not explain.`,
    nextStep:
      'Look whether the app is connected and answers in time, and whether another device uses the same key: hailstone doctor says which.',
    evidence,
  }
}

function chancesText({ last, microblocks, chances, inDays }: Facts): string {
  if (last !== undefined)
    return `Its last microblock is of ${last.day}. Of the ${last.chancesAfter} microblocks of the days after that`
  const since = chances < microblocks ? ' since it got its first coins' : ''
  return `It never had a microblock. Of the ${chances} microblocks ${inDays}${since}`
}
