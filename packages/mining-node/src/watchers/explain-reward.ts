import type { Client, MicroblockInfo } from '@hailstone/client'
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

/**
 * Completes lines of an account's history, oldest first, by what the blocks say: token, height and role. A
 * block the network does not know leaves them null; a network that does not answer is an error.
 */
export function createRewardExplainer(parameters: {
  readonly client: Client
  readonly address: Address
}): (line: RewardLine, signal: AbortSignal) => Promise<Reward> {
  const { client, address } = parameters
  const microblocks = new Map<Hash, MicroblockInfo['header']>()
  let lastReferral: { readonly index: number; readonly hash: Hash } | null = null

  async function headerOf(hash: Hash, signal: AbortSignal): Promise<MicroblockInfo['header'] | undefined> {
    const known = microblocks.get(hash)
    if (known !== undefined) return known
    const header = (await client.getMicroblock({ hash, signal }))?.header
    const [oldest] = microblocks.keys()
    if (microblocks.size >= MICROBLOCKS_KEPT && oldest !== undefined) microblocks.delete(oldest)
    if (header !== undefined) microblocks.set(hash, header)
    return header
  }

  async function heightOf(keyBlockHash: Hash, signal: AbortSignal): Promise<number | null> {
    const seen = chainTipOf(client).heightOf(keyBlockHash)
    if (seen !== undefined) return seen
    const macroblock = await client.getMacroblockByHash({ hash: keyBlockHash, signal }).catch(noSuchRoute)
    return macroblock?.keyBlock.height ?? null
  }

  async function ofMicroblock(line: RewardLine, signal: AbortSignal): Promise<Reward> {
    const { index, recordType, hash } = line
    const header = await headerOf(hash, signal)
    const height = header === undefined ? null : await heightOf(header.keyBlockHash, signal)
    const isSecondOfBlock = lastReferral !== null && lastReferral.hash === hash && lastReferral.index < index
    const role = rewardRole({ recordType, address, header, isSecondOfBlock })
    if (isReferral(recordType)) lastReferral = { index, hash }
    return reward(line, { role, tokenId: header?.tokenId ?? null, height })
  }

  return async (line, signal) => {
    if (isOfMicroblock(line.recordType)) return ofMicroblock(line, signal)
    const isKeyBlock = isOfKeyBlock(line.recordType)
    const height = isKeyBlock ? await heightOf(line.hash, signal) : null
    const tokenId = await client.getNativeTokenId({ signal })
    return reward(line, { role: 'other', tokenId, height })
  }
}

const reward = (
  { index, recordType, amount, hash, time }: RewardLine,
  found: { readonly role: Reward['role']; readonly tokenId: TokenId | null; readonly height: number | null },
): Reward => ({ index, recordType, amount, blockHash: hash, time, ...found })

/** Old servers do not have the route; that is no reason to lose the reward. */
function noSuchRoute(error: unknown): undefined {
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return undefined
  throw error
}
