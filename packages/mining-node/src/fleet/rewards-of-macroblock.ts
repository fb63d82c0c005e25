import {
  getMicroblockHeader,
  getNativeTokenId,
  getRecordsOfHash,
  type MacroblockOutline,
} from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import type { ReadingPlace } from '../watchers/chain-tip.ts'
import { isOfMicroblock, isReferral, rewardRole } from '../watchers/explain-reward.ts'
import type { Reward } from '../watchers/reward.ts'

/** A reward of one account of a fleet. The running number in the account's history is not looked up. */
export type FleetReward = Omit<Reward, 'index'>

/** Transfers are no rewards. */
const TRANSFERS: ReadonlySet<string> = new Set(['iin', 'iout'])

/** Returns the rewards of our accounts in one macroblock, in the order of its blocks: one question for each block. */
export async function rewardsOfMacroblock(parameters: {
  readonly place: ReadingPlace
  readonly macroblock: MacroblockOutline
  readonly isOurs: (account: Address) => boolean
  readonly signal: AbortSignal
}): Promise<readonly FleetReward[]> {
  const { isOurs, signal } = parameters
  const { core, stamp } = parameters.place
  const { keyBlock, microblocks, statBlocks } = parameters.macroblock
  const rewards: FleetReward[] = []
  for (const { hash } of [...microblocks, keyBlock, ...statBlocks]) {
    const paid = await getRecordsOfHash(core, { hash, signal })
    const isPaid = await Promise.all(paid.map(({ account }) => isOurs(account as Address)))
    const ours = paid.filter(({ recordType }, at) => isPaid[at] && !TRANSFERS.has(recordType))
    if (ours.length === 0) continue
    const isMined = ours.some(({ recordType }) => isOfMicroblock(recordType))
    const header = isMined ? await getMicroblockHeader(core, { hash, signal }) : undefined
    const tokenId = isMined ? (header?.tokenId ?? null) : await getNativeTokenId(core, { signal })
    const seen = new Set<string>()
    for (const { account, recordType, amount } of ours) {
      const address = account as Address
      const isSecondOfBlock = seen.has(address)
      if (isReferral(recordType)) seen.add(address)
      rewards.push({
        ...stamp(),
        address,
        recordType,
        role: rewardRole({ recordType, address, header, isSecondOfBlock }),
        amount,
        tokenId,
        recordHash: hash,
        microblockHash: isMined ? hash : null,
        miner: header?.publisher ?? null,
        height: keyBlock.height,
        timeMs: keyBlock.timeMs,
      })
    }
  }
  return rewards
}
