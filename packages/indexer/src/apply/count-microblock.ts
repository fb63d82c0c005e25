import { weekOf } from '../calendar.ts'
import type { Schema } from '../schema.ts'
import { addToAgent, addToAgentDay, addToDay, addToHour } from './add-figures.ts'
import type { BlockState } from './block-state.ts'
import { kinds } from './match-records.ts'
import { addMinerToBand } from './move-holding.ts'
import type { PaidMicroblock } from './pay-microblocks.ts'

const WEEK_DAYS = 7
const MONTH_DAYS = 30

/** Counts a microblock in every figure of its miner, its agent, its hour, day and week. */
export function countMicroblock(state: BlockState, paid: PaidMicroblock): void {
  const { rows, accountOf, day, hour } = state
  const { token, publisher } = paid.microblock
  const account = accountOf(publisher)
  const agent = paid.microblock.agent === null ? null : accountOf(paid.microblock.agent)
  const miner = rows.get('miner', token, account)
  const sums = sumsOf(paid)
  const isFirstOfDay = miner === undefined || miner.last_day < day
  const activeInHour = miner === undefined || miner.last_hour < hour ? 1 : 0
  const figures = { microblocks: 1, mined: sums.mined }
  const { minerHalf, agentHalf, toOwner } = sums
  addToHour(state, token, { ...figures, referred: minerHalf + agentHalf + toOwner, active: activeInHour })
  addToDay(state, token, day, {
    ...figures,
    ...{ miner_half: minerHalf, agent_half: agentHalf, owner_part: toOwner },
    active: isFirstOfDay ? 1 : 0,
    new: miner === undefined ? 1 : 0,
    returned: miner !== undefined && miner.last_day + MONTH_DAYS < day ? 1 : 0,
    blocks: isFirstOfBlock(state, paid) ? 1 : 0,
    lost: agent === null ? 0n : toOwner,
  })
  if (isFirstOfDay) countActiveDay(state, token, miner)
  countAgent(state, { token, account, agent, miner, sums })
  putMiner(state, { token, account, agent, miner, earned: sums.mined + sums.minerHalf })
  if (miner === undefined) addMinerToBand(state, token, account)
}

type Sums = {
  readonly mined: bigint
  readonly minerHalf: bigint
  readonly agentHalf: bigint
  readonly toOwner: bigint
}

function sumsOf({ rewards }: PaidMicroblock): Sums {
  const sum = (...of: readonly number[]): bigint =>
    rewards.reduce((units, { kind, shown }) => units + (of.includes(kind) ? (shown ?? 0n) : 0n), 0n)
  const { own, minerHalf, agentHalf, ownerPart } = kinds
  return {
    mined: sum(own),
    minerHalf: sum(minerHalf),
    agentHalf: sum(agentHalf),
    toOwner: sum(ownerPart),
  }
}

const isFirstOfBlock = ({ facts }: BlockState, { microblock }: PaidMicroblock): boolean =>
  facts.microblocks.find(({ token }) => token === microblock.token) === microblock

/**
 * Moves the running sums of the miners of the last 7 and 30 days, and counts the cohort of the week: a miner adds one from
 * its active day on, or from where its last one stops counting, and takes it back 7 or 30 days later.
 */
function countActiveDay(state: BlockState, token: number, miner: Schema['miner'] | undefined): void {
  const { rows, day } = state
  const startOf = (days: number): number => Math.max(day, (miner?.last_day ?? -days) + days)
  addToDay(state, token, startOf(WEEK_DAYS), { week_step: 1 })
  addToDay(state, token, day + WEEK_DAYS, { week_step: -1 })
  addToDay(state, token, startOf(MONTH_DAYS), { month_step: 1 })
  addToDay(state, token, day + MONTH_DAYS, { month_step: -1 })
  const active_week = weekOf(day)
  if (miner !== undefined && weekOf(miner.last_day) === active_week) return
  const week = weekOf(miner?.first_day ?? day)
  const miners = (rows.get('cohort', token, active_week, week)?.miners ?? 0) + 1
  rows.put('cohort', { token, active_week, week, miners })
}

type Counted = {
  readonly token: number
  readonly account: number
  readonly agent: number | null
  readonly miner: Schema['miner'] | undefined
}

function countAgent(
  state: BlockState,
  { token, agent, account, miner, sums }: Counted & { readonly sums: Sums },
): void {
  const before = miner?.agent ?? null
  if (agent !== before) {
    const { height } = state.facts
    const { agent_change } = state.added
    const row = { token, account, height, agent }
    const at = agent_change.findIndex((one) => one.token === token && one.account === account)
    // A miner with several microblocks in a block keeps the last agent.
    if (at < 0) agent_change.push(row)
    else agent_change[at] = row
    if (before !== null) addToAgent(state, { token, agent: before }, { miners: -1 })
  }
  if (agent === null) return
  const figures = { earned: sums.agentHalf, lost: sums.toOwner }
  addToAgentDay(
    state,
    { token, agent },
    { ...figures, microblocks: 1, new_miners: miner === undefined ? 1 : 0 },
  )
  addToAgent(state, { token, agent }, { ...figures, microblocks: 1n, miners: agent === before ? 0 : 1 })
}

function putMiner(
  { rows, tokens, facts, day, hour }: BlockState,
  { token, account, agent, miner, earned }: Counted & { readonly earned: bigint },
): void {
  const { height } = facts
  const isSameAgent = agent === (miner?.agent ?? null)
  rows.put('miner', {
    token,
    account,
    first_height: miner?.first_height ?? height,
    first_day: miner?.first_day ?? day,
    last_height: height,
    last_day: day,
    last_hour: hour,
    active_days: (miner?.active_days ?? 0) + (miner?.last_day === day ? 0 : 1),
    microblocks: (miner?.microblocks ?? 0n) + 1n,
    earned: (miner?.earned ?? 0n) + earned,
    agent,
    agent_since: isSameAgent ? (miner?.agent_since ?? null) : height,
    is_below:
      (rows.get('holding', token, account)?.amount ?? 0n) < (tokens.get(token)?.mining?.minimumStake ?? 0n),
  })
}
