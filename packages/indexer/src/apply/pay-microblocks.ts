import { stakeShare, tokenMiningPool } from '@hailstone/protocol'
import type { MicroblockFact, TokenRules } from '../facts.ts'
import type { BlockState } from './block-state.ts'
import { addToSupply } from './figures.ts'
import { type ExpectedReward, kinds, type MatchedReward, matchRecords } from './match-records.ts'
import { moveHolding } from './move-holding.ts'
import { type ReferralParts, referralParts } from './referral-parts.ts'

/** A microblock with the rewards that it paid. */
export type PaidMicroblock = {
  readonly microblock: MicroblockFact
  readonly rewards: readonly MatchedReward[]
}

type Mined = {
  readonly rules: TokenRules
  readonly pool: bigint
  readonly stakes: ReadonlyMap<MicroblockFact, bigint>
  readonly totalStake: bigint
}

/** Pool and stakes of a token after the transactions and before any reward (PROTOCOL 6.1 to 6.3). */
function minedIn(state: BlockState, rules: TokenRules, microblocks: readonly MicroblockFact[]): Mined {
  const totalSupply = state.rows.get('token', rules.id)?.total_supply ?? 0n
  const pool = rules.mining === null ? 0n : tokenMiningPool({ ...rules.mining, totalSupply })
  const stakes = new Map(
    microblocks.map((one) => [
      one,
      state.rows.get('holding', rules.id, state.accountOf(one.publisher))?.amount ?? 0n,
    ]),
  )
  return { rules, pool, stakes, totalStake: [...stakes.values()].reduce((sum, stake) => sum + stake, 0n) }
}

/**
 * Pays the microblocks as the chain says it did, and notes beside each reward what the rules give (PROTOCOL 6.3, 6.4). A
 * difference is a row of its own, never silent.
 */
export function payMicroblocks(state: BlockState): readonly PaidMicroblock[] {
  const { microblocks } = state.facts
  const mined = new Map<number, Mined>()
  for (const token of new Set(microblocks.map((one) => one.token))) {
    const rules = state.tokens.get(token)
    if (rules !== undefined)
      mined.set(
        token,
        minedIn(
          state,
          rules,
          microblocks.filter((one) => one.token === token),
        ),
      )
  }
  return microblocks.flatMap((microblock, ordinal) => {
    const of = mined.get(microblock.token)
    return of === undefined ? [] : [{ microblock, rewards: payMicroblock(state, of, microblock, ordinal) }]
  })
}

function payMicroblock(
  state: BlockState,
  { rules, pool, stakes, totalStake }: Mined,
  microblock: MicroblockFact,
  ordinal: number,
): readonly MatchedReward[] {
  const { added, accountOf, rows, facts } = state
  const { hash, publisher, agent, records } = microblock
  const token = rules.id
  const { height } = facts
  const [account, agentId] = [accountOf(publisher), agent === null ? null : accountOf(agent)]
  const stake = stakes.get(microblock) ?? 0n
  added.microblock.push({ height, ordinal, token, account, agent: agentId, hash, stake })
  const own = stakeShare({ stake, pool, totalStake })
  const isPaid = totalStake > 0n && rows.get('holding', token, account) !== undefined
  const expectedOwn: readonly ExpectedReward[] = isPaid
    ? [{ kind: kinds.own, type: 'im', account: publisher, amount: own }]
    : []
  const ofType = (type: 'im' | 'iref') => records.filter((record) => record.type === type)
  const paidOwn = pay(
    state,
    token,
    ordinal,
    matchRecords(expectedOwn, ofType('im'), () => kinds.own),
  )
  // The agent's balance counts with what this block has paid so far, this reward included.
  const { expected, dust } = referralOf(state, rules, microblock, own)
  const paid = pay(
    state,
    token,
    ordinal,
    matchRecords(expected, ofType('iref'), ({ account: to }) => {
      if (to === publisher) return kinds.minerHalf
      return to === agent ? kinds.agentHalf : kinds.ownerPart
    }),
  )
  if (dust > 0n) payOddUnit(state, rules, ordinal, dust)
  return [...paidOwn, ...paid]
}

function referralOf(
  { rows, accountOf }: BlockState,
  rules: TokenRules,
  microblock: MicroblockFact,
  own: bigint,
): ReferralParts {
  const { agent } = microblock
  const balance = agent === null ? undefined : rows.get('holding', rules.id, accountOf(agent))?.amount
  const { referrerStake = 0n } = rules.mining ?? {}
  const status = balance === undefined ? 'absent' : balance >= referrerStake ? 'qualified' : 'unqualified'
  return referralParts(rules, { ...microblock, own }, status)
}

/** Books rewards as the chain shows them. */
function pay(
  state: BlockState,
  token: number,
  microblock: number,
  rewards: readonly MatchedReward[],
): readonly MatchedReward[] {
  const { added, accountOf, facts } = state
  const { height } = facts
  for (const { kind, account: address, shown, expected } of rewards) {
    const account = accountOf(address)
    const amount = shown ?? 0n
    const isExplained = shown === expected
    if (!isExplained) {
      const ordinal = added.unexplained.length
      added.unexplained.push({
        ...{ height, ordinal, token, account, subject: 'reward', shown, computed: expected },
      })
    }
    const ordinal = added.reward.length
    const computed = isExplained ? null : (expected ?? 0n)
    added.reward.push({ height, ordinal, token, account, kind, microblock, amount, expected: computed })
    // Paying nothing gives no account a row: rows decide who counts as an agent.
    if (amount === 0n) continue
    moveHolding(state, token, account, amount)
    addToSupply(state, token, amount)
  }
  return rewards
}

/** The odd unit of two halves goes to the owner, outside of records and supply. */
function payOddUnit(state: BlockState, rules: TokenRules, microblock: number, amount: bigint): void {
  const { added, facts } = state
  const account = state.accountOf(rules.owner)
  const ordinal = added.reward.length
  added.reward.push({
    ...{ height: facts.height, ordinal, token: rules.id, account, kind: kinds.oddUnit, microblock },
    ...{ amount, expected: null },
  })
  moveHolding(state, rules.id, account, amount)
}
