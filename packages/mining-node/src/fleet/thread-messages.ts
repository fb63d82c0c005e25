import type { SentError } from './fleet-keys.ts'
import type { MiningTerms, SigningTask } from './signer-pool.ts'
import type { SignatureQuestion } from './transaction-checks.ts'

/** Settings that a signing thread starts with. */
export type ThreadSettings = { readonly terms: MiningTerms }

/** To a signing thread. */
export type ThreadOrder =
  | { readonly type: 'keys'; readonly keys: readonly (readonly [index: number, text: string])[] }
  | {
      readonly type: 'sign'
      readonly tasks: readonly (readonly [id: number, key: number, task: SigningTask])[]
    }
  | { readonly type: 'verify'; readonly id: number; readonly questions: readonly SignatureQuestion[] }

/** From a signing thread. A text stands for success. */
export type ThreadAnswer =
  | { readonly type: 'ready'; readonly arithmetic: string }
  | { readonly type: 'loaded'; readonly addresses: readonly (readonly [index: number, string | SentError])[] }
  | { readonly type: 'signed'; readonly frames: readonly (readonly [id: number, string | SentError])[] }
  | { readonly type: 'verified'; readonly id: number; readonly answers: readonly boolean[] }
