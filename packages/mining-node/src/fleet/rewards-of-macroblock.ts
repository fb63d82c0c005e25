import {
  getMicroblockHeader,
  getNativeTokenId,
  getRecordsOfHash,
  type MacroblockOutline,
} from '@hailstone/client'
import {
  type Address,
  apiError,
  type Hash,
  type IndexEntry,
  type MicroblockHeader,
} from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import type { ReadingPlace } from '../watchers/chain-tip.ts'
import { isOfMicroblock, isReferral, rewardRole } from '../watchers/explain-reward.ts'
import type { Reward } from '../watchers/reward.ts'

/** A reward of one account of a fleet. The running number in the account's history is not looked up. */
export type FleetReward = Omit<Reward, 'index'>

/** A reward with a name of its own. */
export type NamedFleetReward = FleetReward & {
  /**
   * Made of the block that was paid for, the account, the kind and how often the chain had parted: the same in every
   * run, and another one when a reorganised chain books the same reward again.
   */
  readonly id: string
}

/** A calculated macroblock, and the node that is asked about it. */
type Reading = {
  readonly place: ReadingPlace
  readonly macroblock: MacroblockOutline
  readonly isOurs: (account: Address) => boolean
  readonly signal: AbortSignal
}

/** Transfers are no rewards. */
const TRANSFERS: ReadonlySet<string> = new Set(['iin', 'iout'])
/** Answers in a row that something is not there, after which the node counts as behind, or the thing as absent. */
const NOT_THERE = { answers: 8 }

/**
 * Asks for what a node that is not behind has. One of several behind an address may be, so it is asked again at once, a
 * few times.
 *
 * @throws {NodeError} `HEIGHT_UNAVAILABLE`
 */
export async function askForPresent<T>(height: number, ask: () => Promise<T | undefined>): Promise<T> {
  for (let asked = 0; asked < NOT_THERE.answers; asked++) {
    const found = await ask()
    if (found !== undefined) return found
  }
  throw apiError('HEIGHT_UNAVAILABLE', { height })
}

/**
 * Returns the rewards of our accounts in one macroblock, in the order of its blocks: one question for each block, and
 * one more for each microblock that paid them.
 *
 * @throws {NodeError} `HEIGHT_UNAVAILABLE` when the node that answers does not have all of the macroblock; and what its
 *   questions throw
 */
export async function rewardsOfMacroblock(reading: Reading): Promise<readonly FleetReward[]> {
  const { keyBlock, microblocks, statBlocks } = reading.macroblock
  const rewards: FleetReward[] = []
  for (const { hash } of microblocks) rewards.push(...(await rewardsOfBlock(reading, hash, true)))
  for (const { hash } of [keyBlock, ...statBlocks])
    rewards.push(...(await rewardsOfBlock(reading, hash, false)))
  return rewards
}

async function rewardsOfBlock(
  reading: Reading,
  hash: Hash,
  isMicroblock: boolean,
): Promise<readonly FleetReward[]> {
  const { place, macroblock, isOurs, signal } = reading
  const paid = await recordsOfBlock(reading, hash, isMicroblock)
  const isPaid = await Promise.all(paid.map(({ account }) => isOurs(account as Address)))
  const ours = paid.filter(({ recordType }, at) => isPaid[at] && !TRANSFERS.has(recordType))
  if (ours.length === 0) return []
  const isMined = ours.some(({ recordType }) => isOfMicroblock(recordType))
  const header = isMined ? await headerOf(reading, hash) : undefined
  const tokenId = header?.tokenId ?? (await getNativeTokenId(place.core, { signal }))
  const seen = new Set<string>()
  return ours.map(({ account, recordType, amount }) => {
    const address = account as Address
    const isSecondOfBlock = seen.has(address)
    if (isReferral(recordType)) seen.add(address)
    return {
      ...place.stamp(),
      address,
      recordType,
      role: rewardRole({ recordType, address, header, isSecondOfBlock }),
      amount,
      tokenId,
      recordHash: hash,
      microblockHash: isMined ? hash : null,
      miner: header?.publisher ?? null,
      height: macroblock.keyBlock.height,
      timeMs: macroblock.keyBlock.timeMs,
    }
  })
}

const headerOf = ({ place, macroblock, signal }: Reading, hash: Hash): Promise<MicroblockHeader> =>
  askForPresent(macroblock.keyBlock.height, () => getMicroblockHeader(place.core, { hash, signal }))

/**
 * Reads what a block of a calculated macroblock paid. Each has records, of nothing if need be (PROTOCOL 6.7), but for a
 * microblock of a token that is not there and a statblock of an unknown pool. No records therefore mean a node that is
 * behind, unless that is said again and again by one that has those of the key block.
 */
async function recordsOfBlock(
  reading: Reading,
  hash: Hash,
  isMicroblock: boolean,
): Promise<readonly IndexEntry[]> {
  const { place, macroblock, signal } = reading
  const { core } = place
  const { hash: keyBlockHash, height } = macroblock.keyBlock
  const recordsOf = (hash: Hash): Promise<readonly IndexEntry[]> => getRecordsOfHash(core, { hash, signal })
  const mayPayNobody = async (): Promise<boolean> =>
    hash !== keyBlockHash &&
    (await recordsOf(keyBlockHash)).length > 0 &&
    (!isMicroblock || (await headerOf(reading, hash)).reward === 0n)
  let nothing: Claim | null = null
  return askForPresent(height, async () => {
    do {
      const records = await recordsOf(hash)
      // Key block 0 has a name that is no hash, and nothing is found under it.
      if (records.length > 0 || (height === 0 && hash === keyBlockHash)) return records
      nothing = (await mayPayNobody())
        ? repeated(nothing, { source: core.source, atMs: core.clock.monotonicMs() })
        : null
    } while (nothing !== null && !isProved(nothing, NOT_THERE))
    return nothing === null ? undefined : []
  })
}
