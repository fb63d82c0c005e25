import { weekOf } from '../calendar.ts'
import type { Schema } from '../schema.ts'
import type { BlockState } from './block-state.ts'
import { agentDayOf, agentOf, dayOf, hourOf } from './figures.ts'
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
  const { minerHalf, agentHalf, toOwner } = sums
  const inHour = hourOf(state, token)
  inHour.microblocks++
  inHour.mined += sums.mined
  inHour.referred += minerHalf + agentHalf + toOwner
  if (miner === undefined || miner.last_hour < hour) inHour.active++
  const inDay = dayOf(state, token, day)
  inDay.microblocks++
  inDay.mined += sums.mined
  inDay.miner_half += minerHalf
  inDay.agent_half += agentHalf
  inDay.owner_part += toOwner
  if (agent !== null) inDay.lost += toOwner
  if (isFirstOfDay) inDay.active++
  if (miner === undefined) inDay.new++
  else if (miner.last_day + MONTH_DAYS < day) inDay.returned++
  if (isFirstOfBlock(state, paid)) inDay.blocks++
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
  const sums = { mined: 0n, minerHalf: 0n, agentHalf: 0n, toOwner: 0n }
  for (const { kind, shown } of rewards) {
    const units = shown ?? 0n
    if (kind === kinds.own) sums.mined += units
    else if (kind === kinds.minerHalf) sums.minerHalf += units
    else if (kind === kinds.agentHalf) sums.agentHalf += units
    else if (kind === kinds.ownerPart) sums.toOwner += units
  }
  return sums
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
  dayOf(state, token, startOf(WEEK_DAYS)).week_step++
  dayOf(state, token, day + WEEK_DAYS).week_step--
  dayOf(state, token, startOf(MONTH_DAYS)).month_step++
  dayOf(state, token, day + MONTH_DAYS).month_step--
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
    if (before !== null) agentOf(state, { token, agent: before }).miners--
  }
  if (agent === null) return
  const onDay = agentDayOf(state, { token, agent })
  onDay.microblocks++
  onDay.earned += sums.agentHalf
  onDay.lost += sums.toOwner
  if (miner === undefined) onDay.new_miners++
  const inAll = agentOf(state, { token, agent })
  inAll.microblocks++
  inAll.earned += sums.agentHalf
  inAll.lost += sums.toOwner
  inAll.last_day = state.day
  if (agent !== before) inAll.miners++
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
