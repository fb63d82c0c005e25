import type { NetworkParameters } from '@hailstone/ledger'
import type { Address, Hash, TokenId, Transaction, VerifyText } from '@hailstone/protocol'
import type { Faucet } from '../chain/faucet.ts'
import type { AddOutcome } from '../chain/mempool.ts'
import type { PendingEntry } from '../chain/pending-entry.ts'
import type { PoolRefusal } from '../chain/pool-limits.ts'
import type { Logger } from '../logger.ts'
import type { ChainStore } from '../store/index.ts'

/** The part of the pool that the API uses. */
export type PendingPool = {
  /** Takes a posted transaction, or returns why not. */
  readonly add: (
    transaction: Transaction,
    hash: Hash,
  ) => AddOutcome | PoolRefusal | Promise<AddOutcome | PoolRefusal>
  /** Returns why the pool would refuse a transaction, before its signature is verified. @default nothing is refused */
  readonly refusal?: ((transaction: Transaction, hash: Hash) => PoolRefusal | null) | undefined
  /** Returns a waiting transaction by its hash. */
  readonly get: (hash: string) => PendingEntry | undefined
  /** Returns what waits of an account, as sender, receiver or both. */
  readonly ofAccount: (address: string, filter: 'from' | 'to' | 'both') => readonly PendingEntry[]
  /** Number of waiting transactions. */
  readonly size: number
}

/** State of the block producer. */
export type ProducerState = {
  /** Age of the open key block, in ms. */
  readonly openForMs: number
  /** Time for which a macroblock is being stored, in ms; null while none is. */
  readonly closingForMs: number | null
  /** Reason of the last failed attempt to close a macroblock. */
  readonly failure: string | null
}

/** Sources of the routes' answers. */
/** Versions of the mobile application that an operator announces, dotted, and where it is. */
export type AppVersion = {
  /** Older ones are to be updated before they are used. */
  readonly minimum?: string | undefined
  /** The newest version. */
  readonly maximum?: string | undefined
  /** Address of the newest version. */
  readonly url?: string | undefined
}

export type ApiParts = {
  readonly store: ChainStore
  readonly network: NetworkParameters
  readonly mempool: PendingPool
  /** Miners that have hailed, and what they mine. */
  readonly minersOnline: () => readonly {
    readonly address: Address
    readonly tokenId?: TokenId | undefined
  }[]
  /** Answers `/faucet`. */
  readonly faucet: Faucet
  /** Absent when nothing produces blocks, as over a recorded chain. */
  readonly producerState?: (() => ProducerState) | undefined
  /** Returns `in use`, or why the read replica is not used; null without `--read-database`. @default returns null */
  readonly readCopy?: (() => string | null) | undefined
  /** Returns `open`, or what is wrong with the line to the leader; null without such a line. @default returns null */
  readonly leaderLine?: (() => string | null) | undefined
  /** Time of the network in Unix milliseconds. */
  readonly clock: {
    /** Unix milliseconds. */
    readonly now: () => number
  }
  /** Time between macroblocks in ms. */
  readonly blockTimeMs: number
  /** Verifies the signatures of posted transactions. */
  readonly verify: VerifyText
  /** `data` of a payment may hold `+` and `=`. @default false */
  readonly newerData?: boolean | undefined
  /** Answer of `/ver`. @default none: no application of this network is in any shop */
  readonly appVersion?: AppVersion | undefined
  readonly logger: Logger
}
