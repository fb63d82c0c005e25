import type { PaymentInfo } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { MiningPolicy, PauseReason } from './mining-policy.ts'
import type { WorkEntry } from './work-log.ts'

/** Where the first run stands after the account was stored; it goes on there after the app was closed. */
export type SetupStep = 'words' | 'quiz' | 'agent' | 'done'

/**
 * Access of one tab to the account: `open` after the passphrase was entered in it, `covered` while it asks for
 * the passphrase again and keeps mining, `locked` without the key.
 */
export type TabLock = 'open' | 'covered' | 'locked'

type Stored = {
  readonly address: Address
  readonly isBackedUp: boolean
  /** True if the words of this account are stored with it, so that they can be shown. */
  readonly hasWords: boolean
  /** True if the key is behind a passphrase; false if it is stored unprotected, where the brand allows that. */
  readonly isSealed: boolean
  /** True if an earlier version stored this key without protection. */
  readonly wasExposed: boolean
}

export type AccountState =
  /** `lost`: accounts that were stored here and that the browser has dropped. */
  | {
      readonly status: 'none'
      readonly lost: readonly Address[]
      /** True if an account was removed that an earlier version had stored without protection. */
      readonly isOutdated: boolean
    }
  /** A first run that is not finished. */
  | { readonly status: 'setup'; readonly step: SetupStep; readonly address: Address; readonly isNew: boolean }
  /** The key is stored, and the tab that would mine does not have it without the passphrase. */
  | ({ readonly status: 'locked' } & Stored)
  | ({ readonly status: 'open' } & Stored)

/** The node's snapshot without its class of errors, which does not survive the way to the page. */
export type PlainSnapshot = Omit<MiningSnapshot, 'lastError'> & {
  readonly lastError: { readonly error: PlainError; readonly atMs: number } | null
}

export type PlainError = {
  /** A code of the library, or `UNKNOWN`. */
  readonly code: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Everything the screen shows about mining, as one value that is replaced and never changed. */
export type EngineState = {
  /** Whether this tab is the one that mines; others show what it says. */
  readonly isLeader: boolean
  /** Of this tab; `account` says whether the tab that mines has the key. */
  readonly tabLock: TabLock
  readonly account: AccountState
  /** Null without an account. */
  readonly snapshot: PlainSnapshot | null
  readonly run: {
    /** The person wants to mine, whatever stands in the way. */
    readonly isWanted: boolean
    /** Unix milliseconds; null while not started. */
    readonly startedAtMs: number | null
    readonly pause: PauseReason | null
    /** Unix milliseconds of the last signature, also of earlier runs. */
    readonly lastSignedAtMs: number | null
  }
  readonly agent: Address | null
  readonly policy: MiningPolicy
  readonly payments: readonly PaymentInfo[]
  /** Newest first. */
  readonly log: readonly WorkEntry[]
}
