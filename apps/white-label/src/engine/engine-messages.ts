import type { Address } from '@hailstone/mining-node'
import type { MemoryChange } from './account-memory.ts'
import type { EngineConfig } from './engine-config.ts'
import type { EngineState, PlainError, SharedState } from './engine-state.ts'
import type { Conditions } from './mining-policy.ts'

/** Messages from the page to its worker. */
export type ToEngine =
  | {
      readonly type: 'open'
      readonly config: EngineConfig
      readonly conditions: Conditions
      /** Accounts whose keys this browser has stored, from the page's memory. */
      readonly remembered: readonly Address[]
    }
  | {
      readonly type: 'call'
      readonly id: number
      readonly name: string
      readonly parameters: unknown
      /** Address of the account that the page shows; null for none, undefined before the first state. */
      readonly account?: Address | null | undefined
    }
  /** The asker of a call has left. The call is answered all the same, and says whether it was carried out. */
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'conditions'; readonly conditions: Conditions }
  /** Answered at once, with `alive`. */
  | { readonly type: 'ping' }
  /** Sent before the browser freezes or leaves the page, and when the page is back. */
  | { readonly type: 'asleep' }
  | { readonly type: 'awake' }

/** Messages from the worker to its page. */
export type FromEngine =
  | { readonly type: 'state'; readonly state: EngineState }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: PlainError }
  | ({ readonly type: 'remember'; readonly vaultName: string } & MemoryChange)
  | { readonly type: 'broken'; readonly error: PlainError }
  | { readonly type: 'alive' }

/**
 * Messages between the workers of one brand. Every page of this origin can read and write them: they carry no secret
 * and cannot unlock, pay or reveal anything. A payment is approved with a proof of consent that only a worker with
 * the key can make.
 */
export type BetweenTabs =
  /**
   * State of the leading tab. `hasKey`: it can mine and sign. `term`: a random id, new each time a tab becomes the leader;
   * absent in earlier versions.
   */
  | {
      readonly type: 'state'
      readonly state: SharedState
      readonly hasKey: boolean
      readonly term?: string | undefined
    }
  /** Requests the lead from a tab that leads without an unlocked key. The sender has the key. */
  | { readonly type: 'yield' }
  /** Locks all tabs. */
  | { readonly type: 'lock' }
  | { readonly type: 'cover' }
  /** Requests the leader's state, which it sends to every tab. */
  | { readonly type: 'whoLeads' }
  | { readonly type: 'accountChanged' }
  | {
      readonly type: 'call'
      readonly from: string
      readonly id: number
      readonly name: string
      readonly parameters: unknown
      /** Address of the account that the calling page shows; null for none. Earlier versions do not say it. */
      readonly account?: Address | null | undefined
    }
  | { readonly type: 'answer'; readonly to: string; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly to: string; readonly id: number; readonly error: PlainError }
