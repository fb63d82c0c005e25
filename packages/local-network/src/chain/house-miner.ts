import {
  type KeyBlock,
  type Microblock,
  microblockHash,
  publicationText,
  signText,
  type TokenId,
} from '@hailstone/protocol'
import type { DevelopmentAccount } from '../genesis.ts'
import type { PendingEntry } from './mempool.ts'

/** Mines what nobody else has mined, so that payments confirm with nobody connected. */
export type HouseMiner = {
  readonly publish: (keyBlock: KeyBlock, entries: readonly PendingEntry[]) => Microblock
}

/**
 * Signs like any other miner. It asks nobody for its stake: a drained house account earns nothing, but it must
 * not stop the chain.
 */
export const createHouseMiner = (parameters: {
  readonly account: DevelopmentAccount
  readonly nativeTokenId: TokenId
}): HouseMiner => ({
  publish(keyBlock, entries) {
    const { account, nativeTokenId: tokenId } = parameters
    const content = {
      keyBlockHash: keyBlock.hash,
      publisher: account.address,
      nonce: 1,
      transactions: entries.map(({ transaction }) => transaction),
    }
    const hash = microblockHash(content)
    const text = publicationText({ microblockHash: hash, referralAgent: null, tokenId })
    return { ...content, hash, tokenId, referralAgent: null, signature: signText(text, account.privateKey) }
  },
})
