import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Address, Hash, KeyBlock } from '@hailstone/protocol'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { BalanceSource } from './calculate-macroblock.ts'
import type { CalculatedMacroblock } from './calculated-macroblock.ts'
import type { FallbackMiner } from './fallback-miner.ts'
import type { KeepAlive } from './keep-alive.ts'
import type { CalculatedSource } from './learn-calculated.ts'
import type { Mempool } from './mempool.ts'

/** The part of the store that the producer uses. */
type MacroblockStore = BalanceSource &
  CalculatedSource & {
    /** All rows of it in one transaction, or none. */
    readonly appendMacroblock: (calculated: CalculatedMacroblock) => Promise<void>
    readonly tail: () => Promise<KeyBlock>
  }

export type BlockProducerParameters = {
  readonly store: MacroblockStore
  readonly ledger: LedgerState
  /** The key block that is open. */
  readonly tail: KeyBlock
  /** @default 0 */
  readonly branch?: number | undefined
  /** `settle`: takes what a macroblock calculated, where that is not the same as removing it. */
  readonly mempool: Mempool & { readonly settle?: (hashes: Iterable<Hash>) => void }
  readonly network: NetworkParameters
  /** Paid for the key blocks, in place of proof of work. */
  readonly keyBlockPublisher: Address
  readonly clock: Clock
  /** Returns the time that blocks state, in Unix milliseconds. @default that of the clock */
  readonly blockTime?: (() => number) | undefined
  readonly logger: Logger
  readonly blockTimeMs: number
  readonly maxMicroblocks: number
  readonly maxTransactionsPerMicroblock: number
  /** True if a macroblock may close without a native microblock. */
  readonly emptyMacroblocks: boolean
  readonly fallbackMiner: FallbackMiner | null
  readonly keepAlive: KeepAlive | null
  /**
   * True if the end of the stored chain proves nothing, since a standby may lack it: after any error the macroblock is
   * stored again, and the store waits until a standby has what is there already. @default false
   */
  readonly requireReplica?: boolean | undefined
  /** Returns true if this process closes macroblocks. @default always */
  readonly isLeading?: (() => boolean) | undefined
  /** Waits while it is not known if this process still leads. @default not at all */
  readonly untilLeadKnown?: (() => Promise<void>) | undefined
}
