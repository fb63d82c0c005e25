import type { PaymentInfo } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { MiningPolicy, PauseReason } from './mining-policy.ts'
import type { WorkEntry } from './work-log.ts'

/** Where the first run stands; it goes on there after the app was closed. */
export type SetupStep = 'words' | 'quiz' | 'lock' | 'agent' | 'done'

export type AccountState =
  /** `lost`: accounts that were stored here and that the browser has dropped. */
  | { readonly status: 'none'; readonly lost: readonly Address[] }
  /** A first run that is not finished. */
  | { readonly status: 'setup'; readonly step: SetupStep; readonly address: Address; readonly isNew: boolean }
  /** The key is stored and this browser cannot use it without the passphrase. */
  | { readonly status: 'locked'; readonly address: Address; readonly isBackedUp: boolean }
  | { readonly status: 'open'; readonly address: Address; readonly isBackedUp: boolean }

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
  readonly isOwner: boolean
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
