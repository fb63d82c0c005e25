import type { DevelopmentAccount } from '@hailstone/ledger'
import {
  isTransactionSigned,
  type KeyBlock,
  type Microblock,
  microblockHash,
  publicationText,
  signText,
  type TokenId,
} from '@hailstone/protocol'
import type { Mempool, TakeParameters } from './mempool.ts'
import type { OpenMacroblock } from './open-macroblock.ts'
import type { PendingEntry } from './pending-entry.ts'
import type { SignedTransactions } from './signed-transactions.ts'

/** Mines what nobody else has mined, so that payments confirm with nobody connected. */
export type FallbackMiner = {
  readonly publish: (keyBlock: KeyBlock, entries: readonly PendingEntry[]) => Microblock
  /**
   * A microblock of what waits for the open macroblock; null when nothing does. What is not signed by its sender is
   * set aside first: one such transaction costs every miner its microblock (PROTOCOL 5.8, rule 11).
   */
  readonly mine: (
    waiting: Omit<TakeParameters, 'pendingTimeoutMs' | 'isSettled'> & {
      readonly open: OpenMacroblock
      readonly mempool: Mempool
    },
  ) => Microblock | null
}

/**
 * Signs like any other miner. It asks nobody for its stake: a drained account earns nothing, but it must
 * not stop the chain.
 */
export function createFallbackMiner(parameters: {
  readonly account: DevelopmentAccount
  readonly nativeTokenId: TokenId
  /** Looks at the signatures of transactions. @default each time */
  readonly signed?: Pick<SignedTransactions, 'has'> | undefined
}): FallbackMiner {
  const { account, nativeTokenId: tokenId, signed = { has: isTransactionSigned } } = parameters
  const publish: FallbackMiner['publish'] = (keyBlock, entries) => {
    const content = {
      keyBlockHash: keyBlock.hash,
      publisher: account.address,
      nonce: 1,
      transactions: entries.map(({ transaction }) => transaction),
    }
    const hash = microblockHash(content)
    const text = publicationText({ microblockHash: hash, referralAgent: null, tokenId })
    return { ...content, hash, tokenId, referralAgent: null, signature: signText(text, account.privateKey) }
  }
  return {
    publish,
    mine({ open, mempool, ...taking }) {
      // Each round without a microblock sets at least one entry aside, so there is a last one.
      for (;;) {
        // Transactions that were offered to a miner are mined too.
        const entries = mempool.take({ ...taking, pendingTimeoutMs: 0, isSettled: open.holds })
        const minable = entries.filter(({ transaction }) => signed.has(transaction))
        mempool.setAside(entries.filter((entry) => !minable.includes(entry)))
        if (minable.length > 0) return publish(open.keyBlock, minable)
        if (entries.length === 0) return null
      }
    },
  }
}
