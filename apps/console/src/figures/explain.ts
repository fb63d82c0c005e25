import { type Address, amountText, stakeShare, tokenMiningPool } from '@hailstone/protocol'
import { type AccountFacts, readAccountFacts } from './account-facts.ts'
import { type Cell, type FigureContext, unitsText } from './figure.ts'

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

/** Below this probability of no microblock at all, luck is no explanation any more. */
const LUCK_LIMIT = 0.01
/** Weight of a draw: 500 and a fifth of the stake in coins (PROTOCOL 5.7). */
const weightOf = (coins: bigint): bigint => (coins === 0n ? 0n : 500n + coins / 5n)

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
  const facts = await readAccountFacts(context, address, days)
  const verdicts = [
    stakeVerdict(context, facts),
    chainVerdict(context, facts),
    ...paidVerdicts(context, facts),
    ...agentVerdicts(context, facts),
    rejectedVerdict(context, facts),
    earlierStakeVerdict(context, facts),
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

function stakeVerdict(
  context: FigureContext,
  { balance, last, sent, stakeTimes }: AccountFacts,
): Verdict | null {
  const minimum = context.token.mining?.minimumStake ?? 0n
  const needed = unitsText(context, minimum)
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
    sentence: `The balance of ${unitsText(context, balance)} is below the least stake of ${needed}; its microblocks are refused.`,
    nextStep: `${unitsText(context, minimum - balance)} are missing.`,
    evidence: {
      balance: String(balance),
      minimumStake: String(minimum),
      missing: String(minimum - balance),
      belowAfterHeight: stakeTimes.changedAt,
      lastMinedHeight: last?.height ?? null,
      lastPaymentOut: sent?.hash ?? null,
    },
  }
}

function chainVerdict(
  context: FigureContext,
  { supply, macroblocks, mined, inDays }: AccountFacts,
): Verdict | null {
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

function paidVerdicts(
  context: FigureContext,
  { own, paid, different, sent, inDays }: AccountFacts,
): readonly Verdict[] {
  const [newest] = own
  if (newest === undefined) return []
  const verdicts: Verdict[] = [
    {
      code: 'PAID',
      sentence: `${paid.microblocks === 1 ? 'One microblock' : `${paid.microblocks} microblocks`} paid ${unitsText(context, paid.units)} ${inDays}, the newest at height ${newest.height}.`,
      nextStep:
        sent === undefined
          ? 'Nothing was sent away; the balance holds it.'
          : `The newest payment out was ${unitsText(context, BigInt(sent.amount ?? 0))} at height ${sent.height}.`,
      evidence: {
        height: newest.height ?? null,
        microblock: newest.hash ?? null,
        paid: String(paid.units),
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
      sentence: `At height ${different.height} the network states a reward of ${unitsText(context, BigInt(different.own ?? 0))}, where the rules give ${unitsText(context, BigInt(different.computed ?? 0))}.`,
      nextStep: 'Compare with another API, and tell the operator of the network both amounts.',
      evidence: {
        microblock: different.hash ?? null,
        stated: different.own ?? null,
        computed: different.computed ?? null,
      },
    },
  ]
}

/** Explains the newest reward of a macroblock in which others had a share. */
function lessVerdicts(context: FigureContext, own: AccountFacts['own']): readonly Verdict[] {
  const { mining } = context.token
  const pool = mining === null ? 0n : tokenMiningPool({ ...mining, totalSupply: 0n })
  const rewards = own.map((row) => ({
    ...{ height: Number(row.height), hash: row.hash ?? null, publishers: Number(row.publishers) },
    ...{ paid: BigInt(row.own ?? 0), stake: BigInt(row.stake ?? 0) },
    ...{ ownStake: BigInt(row.own_stake ?? 0), totalStake: BigInt(row.total ?? 0) },
  }))
  const less = rewards.find(({ paid, ownStake, totalStake }) => paid > 0n && ownStake < totalStake)
  if (less === undefined) return []
  const { height, hash, publishers, paid, stake, totalStake } = less
  const share = stakeShare({ stake, totalStake, pool: 1000n })
  const got = `${amountText(paid, { language: 'en', decimals: context.token.decimals, fractionMax: 2 })} ${context.token.symbol}`
  return [
    {
      code: 'PAID_LESS',
      sentence: `The reward at height ${height} was ${got} and not all ${unitsText(context, pool)}: ${publishers} microblocks shared the macroblock by their stake, and this one had ${Number(share) / 10} % of it.`,
      nextStep: 'More stake, or fewer others in the same macroblock, make a larger share.',
      evidence: {
        ...{ height, microblock: hash, paid: String(paid), pool: String(pool) },
        ...{ stake: String(stake), totalStake: String(totalStake), microblocks: publishers },
      },
    },
  ]
}

function agentVerdicts(
  context: FigureContext,
  { own, agentChanges, inDays }: AccountFacts,
): readonly Verdict[] {
  const verdicts: Verdict[] = []
  const newest = own.find(({ agent }) => agent !== null)
  const needed = unitsText(context, context.token.mining?.referrerStake ?? 0n)
  const evidence = {
    agent: newest?.agent ?? null,
    height: newest?.height ?? null,
    microblock: newest?.hash ?? null,
  }
  if (newest !== undefined && newest.half === null)
    verdicts.push({
      code: 'AGENT_NO_ROW',
      sentence: `The agent never had a balance in ${context.token.symbol}: no half was paid, all of it fell to the owner of the token.`,
      nextStep: `With any balance of the agent the miner gets its half; for its own half the agent needs ${needed}.`,
      evidence,
    })
  else if (newest !== undefined && newest.agent_half === null)
    verdicts.push({
      code: 'AGENT_BELOW',
      sentence: `The agent had less than ${needed}: the miner got its half, the half of the agent fell to the owner of the token.`,
      nextStep: `The agent needs ${needed} when a macroblock closes.`,
      evidence,
    })
  const [change] = agentChanges
  if (change !== undefined)
    verdicts.push({
      code: 'AGENT_OTHER',
      sentence: `Its microblocks changed their agent ${agentChanges.length === 1 ? 'once' : `${agentChanges.length} times`} ${inDays}: since height ${change.height} they name ${change.agent === null ? 'no agent' : 'another one'}.`,
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

function rejectedVerdict(context: FigureContext, { rejected }: AccountFacts): Verdict | null {
  if (rejected === undefined) return null
  return {
    code: 'REJECTED',
    sentence: `A payment of ${unitsText(context, BigInt(rejected.amount ?? 0))} to the account was rejected at height ${rejected.height}.`,
    nextStep: 'Look whether sender and owner of the token can pay their fees, and pay anew.',
    evidence: {
      hash: rejected.hash ?? null,
      height: rejected.height ?? null,
      sender: rejected.sender ?? null,
    },
  }
}

/** Returns a verdict if the account has the stake now, had it before, and was below it in between; null otherwise. */
function earlierStakeVerdict(
  context: FigureContext,
  { balance, stakeTimes, inDays }: AccountFacts,
): Verdict | null {
  const minimum = context.token.mining?.minimumStake ?? 0n
  const [newest] = stakeTimes.fallen
  if (balance === null || balance < minimum || newest === undefined) return null
  const times = stakeTimes.fallen.length
  const isLast = times === 1 ? '' : 'the last time '
  return {
    code: 'BELOW_STAKE',
    sentence: `The balance was below the least stake of ${unitsText(context, minimum)} ${times === 1 ? 'once' : `${times} times`} ${inDays}, ${isLast}up to height ${newest.to}; its microblocks were refused then.`,
    nextStep: 'It has the stake since then. A payment that leaves less ends the mining again.',
    evidence: {
      minimumStake: String(minimum),
      belowAfterHeight: newest.after,
      belowToHeight: newest.to,
      times,
    },
  }
}

/** Weighs the chance of no microblock: from the newest one of the account on, or in the asked days if it has none. */
function luckVerdict(context: FigureContext, facts: AccountFacts): Verdict | null {
  const { own, balance, rivals, mined, last, chances } = facts
  const minimum = context.token.mining?.minimumStake ?? 0n
  if (own.length > 0 || balance === null || balance < minimum || mined === 0) return null
  const weight = weightOf(balance / 10n ** BigInt(context.token.decimals))
  const expected = (chances.withStake * Number(weight)) / Number(weight + rivals)
  const none = Math.exp(-expected)
  const evidence = {
    lastMinedDay: last?.day ?? null,
    lastMinedHeight: last?.height ?? null,
    microblocks: chances.withStake,
    stakeUnknownToHeight: chances.unknownTo,
    expected: Math.round(expected * 100) / 100,
    probabilityOfNone: Math.round(none * 10_000) / 10_000,
  }
  const unknown =
    chances.unknownTo === null
      ? ''
      : ` Whether it had the least stake up to height ${chances.unknownTo} is not known, so nothing of that time is counted.`
  const seen = `${chancesText(facts)} about ${expected.toFixed(1)} would have been its own, if it was connected all the time.${unknown}`
  if (none >= LUCK_LIMIT)
    return {
      code: 'UNLUCKY',
      sentence: `${seen} None was: that happens by chance with a probability of ${(none * 100).toFixed(0)} %.`,
      nextStep: 'Stay connected. More stake makes a draw more likely.',
      evidence,
    }
  return {
    code: 'NOT_SEEN',
    sentence: `${seen} None was, and chance alone does not explain that.`,
    nextStep:
      'Look whether the app is connected and answers in time, and whether another device uses the same key: hailstone doctor says which.',
    evidence,
  }
}

function chancesText({ last, chances, inDays }: AccountFacts): string {
  const meanwhile = chances.withStake < chances.all ? ' while it had the least stake' : ''
  if (last !== undefined)
    return `It last mined on ${last.day}. Of the ${chances.withStake} microblocks of the days after that${meanwhile}`
  return `It never had a microblock. Of the ${chances.withStake} microblocks ${inDays}${meanwhile}`
}
