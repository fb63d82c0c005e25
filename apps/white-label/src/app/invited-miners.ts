import type { RewardRow } from '@hailstone/react'
import type { OwnCampaigns } from './own-campaigns.ts'
import { PAUSE_MS, repeatedNo } from './repeated-no.ts'

/** A miner that this account invited, by the rewards that came for it. */
export type InvitedMiner = {
  readonly address: string
  /** Units that this account got for it. */
  readonly units: bigint
  /** Time of the last reward, Unix milliseconds. */
  readonly lastAtMs: number
}

type PaidRow = Pick<RewardRow, 'role' | 'miner' | 'amount' | 'timeMs'>

/** Time without a reward after which a miner counts as stopped, in ms. */
const STOPPED_AFTER_MS = 24 * 3_600_000

/** Adds up the halves of an agent by the miner they came for; who earned last comes first. */
export function invitedMiners(rows: readonly PaidRow[]): readonly InvitedMiner[] {
  const miners = new Map<string, InvitedMiner>()
  for (const { role, miner, amount, timeMs } of rows) {
    if (role !== 'agent' || miner === null) continue
    const { units = 0n, lastAtMs = timeMs } = miners.get(miner) ?? {}
    miners.set(miner, { address: miner, units: units + amount, lastAtMs: Math.max(lastAtMs, timeMs) })
  }
  return [...miners.values()].sort((one, other) => other.lastAtMs - one.lastAtMs)
}

/** True if no reward came for a miner for a day. */
export const hasStopped = ({ lastAtMs }: Pick<InvitedMiner, 'lastAtMs'>, nowMs: number): boolean =>
  nowMs - lastAtMs > STOPPED_AFTER_MS

/** Sums of one campaign. */
export type CampaignSum = { readonly name: string; readonly miners: number; readonly units: bigint }

/** Adds up miners by the campaign that this device has noted for them; those without one count in none. */
export const campaignSums = (
  miners: readonly InvitedMiner[],
  { names, campaignOf }: OwnCampaigns,
): readonly CampaignSum[] =>
  names.map((name) => {
    const own = miners.filter(({ address }) => campaignOf[address] === name)
    return { name, miners: own.length, units: own.reduce((sum, { units }) => sum + units, 0n) }
  })

/**
 * Reason why no more reward comes for an invited miner. `silent`: it could mine, and nothing that it was paid for since
 * is on the chain. `notYet`: a reward came that this device has not read. `ownStake`: it mines with this agent, whose
 * balance was too low. `unknown`: the network did not say enough.
 */
export type StopCause =
  | 'silent'
  | 'notYet'
  | 'stake'
  | 'noAgent'
  | 'otherAgent'
  | 'otherToken'
  | 'ownStake'
  | 'unknown'

/** A microblock that a miner was paid for. */
type PaidWork = {
  readonly tokenId: string
  readonly referralAgent: string | null
  /** True if this agent was paid for it; null if that is not known. */
  readonly isAgentPaid: boolean | null
}

/** Facts of the chain about an invited miner. */
export type MinerFacts = {
  /** Units of the token that it has, and that mining needs; null while that is not known. */
  readonly balance: bigint
  readonly minimumStake: bigint | null
  /** Its last paid work after the last reward of the agent; `none` if it has done none, null if that is not known. */
  readonly later: PaidWork | 'none' | null
}

/** Returns why no more reward comes, as far as the chain tells. */
export function stopCause(
  { balance, minimumStake, later }: MinerFacts,
  { agent, tokenId }: { readonly agent: string; readonly tokenId: string },
): StopCause {
  if (later === null) return 'unknown'
  if (later === 'none') {
    if (minimumStake === null) return 'unknown'
    return balance < minimumStake ? 'stake' : 'silent'
  }
  if (later.tokenId !== tokenId) return 'otherToken'
  if (later.referralAgent === null) return 'noAgent'
  if (later.referralAgent !== agent) return 'otherAgent'
  if (later.isAgentPaid === null) return 'unknown'
  return later.isAgentPaid ? 'notYet' : 'ownStake'
}

/** Pages of a history that are read at most for one answer. */
const MAX_PAGES = 30

type Page<T> = { readonly records: readonly T[]; readonly isLast: boolean }

type Search<T> = {
  readonly pageOf: (page: number) => Promise<Page<T>>
  readonly isWanted: (record: T) => boolean
}

async function walkBack<T extends { readonly time: number }>(
  sinceMs: number,
  { pageOf, isWanted }: Search<T>,
): Promise<T | 'none' | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const { records, isLast } = await pageOf(page)
    const young = records.filter(({ time }) => time * 1_000 >= sinceMs)
    const found = young.find(isWanted)
    if (found !== undefined) return found
    if (isLast || young.length < records.length) return 'none'
  }
  return null
}

/**
 * Finds the newest record that is wanted, walking back from the newest page to a time in Unix milliseconds. Returns
 * `none` if several walks found no record that is young enough, and null if too many pages would have to be read.
 */
export const newestSince = <T extends { readonly time: number }>(
  sinceMs: number,
  search: Search<T>,
  pauseMs = PAUSE_MS,
): Promise<T | 'none' | null> =>
  repeatedNo(
    () => walkBack(sinceMs, search),
    (found) => found === 'none',
    pauseMs,
  )
