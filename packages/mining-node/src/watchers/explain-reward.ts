import { getKeyBlockHeight, getMicroblockHeader, getNativeTokenId } from '@hailstone/client'
import { type Address, type Hash, isNodeError, type MicroblockHeader } from '@hailstone/protocol'
import type { ReadingPlace } from './chain-tip.ts'
import { createNotThere } from './not-there.ts'
import type { Reward, RewardRole } from './reward.ts'
import type { RewardCursor, RewardLine } from './reward-cursor.ts'

const OWN_MICROBLOCK = 'im'
const REFERRAL = 'iref'
const KEY_BLOCK_TYPES: ReadonlySet<string> = new Set(['ik', 'ifk', 'ifg', 'ifl', 'idust'])

export const isOfMicroblock = (recordType: string): boolean =>
  recordType === OWN_MICROBLOCK || recordType === REFERRAL

export const isReferral = (recordType: string): boolean => recordType === REFERRAL

const isOfKeyBlock = (recordType: string): boolean => KEY_BLOCK_TYPES.has(recordType)

/**
 * Reads from the microblock's header why it paid this account (PROTOCOL 6.4). The publisher's half comes
 * before the other, which tells them apart for someone who is both.
 *
 * @param parameters.isSecondOfBlock whether the same microblock paid this account a referral reward before
 */
export function rewardRole(parameters: {
  readonly recordType: string
  readonly address: Address
  readonly header: Pick<MicroblockHeader, 'publisher' | 'referralAgent'> | undefined
  readonly isSecondOfBlock: boolean
}): RewardRole {
  const { recordType, address, header, isSecondOfBlock } = parameters
  if (recordType === OWN_MICROBLOCK) return 'miner'
  if (recordType !== REFERRAL || header === undefined) return 'other'
  const { publisher, referralAgent } = header
  // Without an agent the publisher gets no half: all of it is the token owner's.
  if (publisher === address && referralAgent !== null && !isSecondOfBlock) return 'referral'
  return referralAgent === address ? 'agent' : 'tokenOwner'
}

/** Completes a line by what the blocks say. `seen` are the lines before it. */
export type ExplainReward = (
  place: ReadingPlace,
  line: RewardLine,
  seen: RewardCursor['seen'],
  signal: AbortSignal,
) => Promise<Reward>

/**
 * Completes lines of an account's history by what the blocks say: token, height and role. A block that a node does not
 * have is an error, since the history names it: the node is behind. Only what is not there for minutes stays null.
 */
export function createRewardExplainer(address: Address): ExplainReward {
  const isBlockGone = createNotThere()
  let isRouteGone = createNotThere()

  async function heightAt(place: ReadingPlace, hash: Hash, signal: AbortSignal): Promise<number | null> {
    const height = await heightOf(place, hash, signal)
    if (height === null) isRouteGone(place.core, '/macroblock', 'this path')
    else isRouteGone = createNotThere()
    if (height === undefined) isBlockGone(place.core, '/macroblock', hash)
    return height ?? null
  }

  return async (place, line, seen, signal) => {
    const { core, stamp } = place
    const { index, recordType, recordHash: hash } = line
    const isMined = isOfMicroblock(recordType)
    const header = isMined ? await getMicroblockHeader(core, { hash, signal }) : undefined
    if (isMined && header === undefined) isBlockGone(core, '/mblock', hash)
    const isSecondOfBlock = seen.some(
      (before) => before.index < index && before.recordHash === hash && isReferral(before.recordType),
    )
    const keyBlockHash = isOfKeyBlock(recordType) ? hash : header?.keyBlockHash
    return {
      ...line,
      ...stamp(),
      address,
      microblockHash: isMined ? hash : null,
      miner: header?.publisher ?? null,
      role: rewardRole({ recordType, address, header, isSecondOfBlock }),
      tokenId: isMined ? (header?.tokenId ?? null) : await getNativeTokenId(core, { signal }),
      height: keyBlockHash ? await heightAt(place, keyBlockHash, signal) : null,
    }
  }
}

/** Returns the height of a key block; undefined when the node does not know it, null when it has no such path. */
export async function heightOf(
  place: ReadingPlace,
  hash: Hash,
  signal: AbortSignal,
): Promise<number | null | undefined> {
  return place.heightOf(hash) ?? getKeyBlockHeight(place.core, { hash, signal }).catch(noSuchRoute)
}

/** Old servers do not have the route. */
function noSuchRoute(error: unknown): null {
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return null
  throw error
}
