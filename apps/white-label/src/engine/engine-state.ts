import type { PaymentInfo } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { RewardState } from './follow-rewards.ts'
import type { MinedTime } from './mined-time.ts'
import type { MiningPolicy, PauseReason } from './mining-policy.ts'
import type { PasskeyRequest } from './passkey-box.ts'
import type { PayoutState } from './payout-setting.ts'
import type { WorkEntry } from './work-log.ts'

/** Step of the first run after the account was stored. An interrupted first run continues there. */
export type SetupStep = 'words' | 'quiz' | 'agent' | 'done'

/**
 * Access of one tab to the account: `open` after the passphrase was entered, `covered` while it asks for the
 * passphrase again but keeps mining, `locked` without the key.
 */
export type TabLock = 'open' | 'covered' | 'locked'

type Stored = {
  readonly address: Address
  readonly isBackedUp: boolean
  /** True if the recovery phrase is stored and can be shown. */
  readonly hasWords: boolean
  /**
   * True if the key is encrypted with a passphrase; false if it is stored unprotected, where the brand allows that.
   */
  readonly isSealed: boolean
  /** True if an earlier version stored this key without protection. */
  readonly wasExposed: boolean
}

export type AccountState =
  /** `lost`: addresses of accounts that were stored here and that the browser has evicted. */
  | {
      readonly status: 'none'
      readonly lost: readonly Address[]
      /** True if an account was removed because an earlier version had stored it without protection. */
      readonly isOutdated: boolean
    }
  /** An unfinished first run. */
  | { readonly status: 'setup'; readonly step: SetupStep; readonly address: Address; readonly isNew: boolean }
  /** The key is stored, but the leading tab needs the passphrase to use it. */
  | ({ readonly status: 'locked' } & Stored)
  | ({ readonly status: 'open' } & Stored)

/** Returns the address of a state; null without an account. */
export const addressOf = (account: AccountState): Address | null =>
  account.status === 'none' ? null : account.address

/** The node's snapshot with its error as plain data, since class instances do not survive `postMessage`. */
export type PlainSnapshot = Omit<MiningSnapshot, 'lastError'> & {
  readonly lastError: { readonly error: PlainError; readonly atMs: number } | null
}

export type PlainError = {
  /** A code of the library, or `UNKNOWN`. */
  readonly code: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Everything the screen shows about mining, as one immutable value. */
export type EngineState = {
  /** True if this tab is the leader and mines; other tabs show the leader's state. */
  readonly isLeader: boolean
  /** Lock state of this tab. `account` says whether the leader has the key. */
  readonly tabLock: TabLock
  /** Facts to ask the device with; null without a passkey. Each tab reads them from the storage. */
  readonly passkey: PasskeyRequest | null
  readonly account: AccountState
  /** Null without an account. */
  readonly snapshot: PlainSnapshot | null
  readonly run: {
    /** True if the person started mining, even if something prevents it now. */
    readonly isWanted: boolean
    /** Null if not started. */
    readonly minedTime: MinedTime | null
    readonly pause: PauseReason | null
    /** Unix milliseconds of the last signature, earlier runs included. */
    readonly lastSignedAtMs: number | null
  }
  /** Null until it is known which rewards belong to the mined token. */
  readonly rewards: RewardState | null
  readonly agent: Address | null
  readonly policy: MiningPolicy
  /** Payouts by a rule; null without one. Absent in states of earlier versions. */
  readonly payout?: PayoutState | null | undefined
  readonly payments: readonly PaymentInfo[]
  /** Error that keeps the payments from being opened; `payments` is empty then. Earlier versions do not say it. */
  readonly paymentsFault?: PlainError | null | undefined
  /** Newest first. */
  readonly log: readonly WorkEntry[]
}

/** State that the leader sends to the other tabs. */
export type SharedState = Omit<EngineState, 'tabLock' | 'passkey'>
