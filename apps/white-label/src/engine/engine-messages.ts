import type { EngineConfig } from './engine-config.ts'
import type { EngineState, PlainError } from './engine-state.ts'
import type { DeviceConditions } from './mining-policy.ts'

/** From the page to its worker. */
export type ToEngine =
  | { readonly type: 'open'; readonly config: EngineConfig; readonly conditions: DeviceConditions }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly parameters: unknown }
  | { readonly type: 'conditions'; readonly conditions: DeviceConditions }
  /** The browser is about to freeze or leave the page; or the page is back. */
  | { readonly type: 'asleep' }
  | { readonly type: 'awake' }

/** From the worker to its page. */
export type FromEngine =
  | { readonly type: 'state'; readonly state: EngineState }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: PlainError }
  | { readonly type: 'broken'; readonly error: PlainError }

/**
 * Between the workers of one brand. Every page of this origin can read and write here: no secret travels, and
 * nothing that arrives can unlock, pay or show anything. A payment is approved by a proof of consent that only a
 * worker with the key can make.
 */
export type BetweenTabs =
  /** `hasKey`: the owner can mine and sign. */
  | { readonly type: 'state'; readonly state: Omit<EngineState, 'tabLock'>; readonly hasKey: boolean }
  /** A tab with the key asks an owner without it to step down. */
  | { readonly type: 'yield' }
  /** One tab was locked, so all are. */
  | { readonly type: 'lock' }
  | { readonly type: 'cover' }
  /** A tab that has just come asks the owner to speak. */
  | { readonly type: 'whoLeads' }
  | { readonly type: 'accountChanged' }
  | {
      readonly type: 'call'
      readonly from: string
      readonly id: number
      readonly name: string
      readonly parameters: unknown
    }
  | { readonly type: 'answer'; readonly to: string; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly to: string; readonly id: number; readonly error: PlainError }
