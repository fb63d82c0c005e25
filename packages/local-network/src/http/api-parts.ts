import type { Address, Hash, Transaction, VerifyText } from '@hailstone/protocol'
import type { PendingEntry } from '../chain/mempool.ts'
import type { NetworkParameters } from '../genesis.ts'
import type { Logger } from '../logger.ts'
import type { ChainStore } from '../store/index.ts'

/** What the API needs of the pool of waiting transactions. */
export type PendingPool = {
  readonly add: (transaction: Transaction, hash: Hash) => 'added' | 'already in pool'
  readonly get: (hash: string) => PendingEntry | undefined
  readonly ofAccount: (address: string, filter: 'from' | 'to' | 'both') => readonly PendingEntry[]
  readonly size: number
}

/** What the routes answer from. */
export type ApiParts = {
  readonly store: ChainStore
  readonly network: NetworkParameters
  readonly mempool: PendingPool
  /** Miners that have hailed. */
  readonly minersOnline: () => readonly { readonly address: Address }[]
  /** Sends test coins; false when the address was served lately or the faucet is empty. */
  readonly faucet: (address: string) => Promise<boolean>
  readonly clock: { readonly now: () => number }
  readonly blockTimeMs: number
  readonly verify: VerifyText
  readonly logger: Logger
}
