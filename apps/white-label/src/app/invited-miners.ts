import type { RewardRow } from '@hailstone/react'

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
  {
    names,
    campaignOf,
  }: { readonly names: readonly string[]; readonly campaignOf: Readonly<Record<string, string>> },
): readonly CampaignSum[] =>
  names.map((name) => {
    const own = miners.filter(({ address }) => campaignOf[address] === name)
    return { name, miners: own.length, units: own.reduce((sum, { units }) => sum + units, 0n) }
  })

/**
 * Reason why no more reward comes for an invited miner. `silent`: it could mine and signs nothing. `earns`: it mines
 * with this agent, and its last reward was not read yet. `ownStake`: it does, and the balance of the agent is too low.
 */
export type StopCause = 'silent' | 'earns' | 'stake' | 'noAgent' | 'otherAgent' | 'otherToken' | 'ownStake'

/** Facts of the chain about an invited miner. */
export type MinerFacts = {
  /** Units of the token that it has, and that mining needs; null while that is not known. */
  readonly balance: bigint
  readonly minimumStake: bigint | null
  /** The last microblock that it was paid for; null if there is none after the last reward of the agent. */
  readonly later: { readonly tokenId: string; readonly referralAgent: string | null } | null
  /** False if the agent has less than agents need. */
  readonly isAgentPaid: boolean
}

/** Returns why no more reward comes, as far as the chain tells. */
export function stopCause(
  { balance, minimumStake, later, isAgentPaid }: MinerFacts,
  { agent, tokenId }: { readonly agent: string; readonly tokenId: string },
): StopCause {
  if (later === null) return minimumStake !== null && balance < minimumStake ? 'stake' : 'silent'
  if (later.tokenId !== tokenId) return 'otherToken'
  if (later.referralAgent === null) return 'noAgent'
  if (later.referralAgent !== agent) return 'otherAgent'
  return isAgentPaid ? 'earns' : 'ownStake'
}
