import {
  type ClientCore,
  getMacroblockByHash,
  getMicroblock,
  getNativeTokenId,
  type MicroblockInfo,
  type PinnedCore,
} from '@hailstone/client'
import { type Address, type Amount, type Hash, isNodeError, type TokenId } from '@hailstone/protocol'
import { chainTipOf } from './chain-tip.ts'
import { isOfKeyBlock, isOfMicroblock, isReferral, type Reward, rewardRole } from './reward.ts'

/** A line of a reward history, whichever list it came from. */
export type RewardLine = {
  readonly index: number
  readonly recordType: string
  readonly amount: Amount
  readonly hash: Hash
  readonly time: number
}

const MICROBLOCKS_KEPT = 64

type Found = Pick<Reward, 'role' | 'tokenId' | 'height'>

/**
 * Completes lines of an account's history, oldest first, by what the blocks say: token, height and role. A
 * block the network does not know leaves them null; a network that does not answer is an error.
 */
export function createRewardExplainer(parameters: {
  readonly client: ClientCore
  readonly address: Address
}): (core: PinnedCore, line: RewardLine, signal: AbortSignal) => Promise<Reward> {
  const { client, address } = parameters
  const microblocks = new Map<Hash, MicroblockInfo['header']>()
  let lastReferral: { readonly index: number; readonly hash: Hash } | null = null

  async function headerOf(
    core: ClientCore,
    hash: Hash,
    signal: AbortSignal,
  ): Promise<MicroblockInfo['header'] | undefined> {
    const known = microblocks.get(hash)
    if (known !== undefined) return known
    const header = (await getMicroblock(core, { hash, signal }))?.header
    const [oldest] = microblocks.keys()
    if (microblocks.size >= MICROBLOCKS_KEPT && oldest !== undefined) microblocks.delete(oldest)
    if (header !== undefined) microblocks.set(hash, header)
    return header
  }

  async function heightOf(core: ClientCore, keyBlockHash: Hash, signal: AbortSignal): Promise<number | null> {
    const seen = chainTipOf(client).heightOf(keyBlockHash)
    if (seen !== undefined) return seen
    const macroblock = await getMacroblockByHash(core, { hash: keyBlockHash, signal }).catch(noSuchRoute)
    return macroblock?.keyBlock.height ?? null
  }

  async function ofMicroblock(core: ClientCore, line: RewardLine, signal: AbortSignal): Promise<Found> {
    const { index, recordType, hash } = line
    const header = await headerOf(core, hash, signal)
    const height = header === undefined ? null : await heightOf(core, header.keyBlockHash, signal)
    const isSecondOfBlock = lastReferral !== null && lastReferral.hash === hash && lastReferral.index < index
    const role = rewardRole({ recordType, address, header, isSecondOfBlock })
    if (isReferral(recordType)) lastReferral = { index, hash }
    return { role, tokenId: header?.tokenId ?? null, height }
  }

  async function ofOther(core: ClientCore, line: RewardLine, signal: AbortSignal): Promise<Found> {
    const height = isOfKeyBlock(line.recordType) ? await heightOf(core, line.hash, signal) : null
    const tokenId: TokenId = await getNativeTokenId(core, { signal })
    return { role: 'other', tokenId, height }
  }

  return async (core, line, signal) => {
    const { index, recordType, amount, hash, time } = line
    const found = await (isOfMicroblock(recordType) ? ofMicroblock : ofOther)(core, line, signal)
    const { source } = core
    return {
      index,
      recordType,
      amount,
      blockHash: hash,
      time,
      ...found,
      source,
      readAtMs: client.clock.now(),
    }
  }
}

/** Old servers do not have the route; that is no reason to lose the reward. */
function noSuchRoute(error: unknown): undefined {
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return undefined
  throw error
}
