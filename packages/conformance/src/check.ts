import type { JsonValue } from '@hailstone/protocol'

/** What became of one case. A skipped case always says why. */
export type Outcome =
  | { readonly name: string; readonly verdict: 'passed' }
  | { readonly name: string; readonly verdict: 'failed'; readonly reason: string }
  | { readonly name: string; readonly verdict: 'skipped'; readonly reason: string }

/** A file that was given to the command, read losslessly. */
export type GivenFile = { readonly path: string; readonly file: JsonValue }

/** What a check may look at besides its own file: some recordings need the ledger of the same seed. */
export type CheckContext = {
  readonly files: readonly GivenFile[]
  /** Where its own file lies: what lies nearer comes first. @default any place is as near */
  readonly path?: string | undefined
}

/** Knows one kind of file by its shape and runs every case in it. */
export type Check = {
  readonly kind: string
  readonly recognises: (file: JsonValue) => boolean
  readonly run: (file: JsonValue, context: CheckContext) => Promise<readonly Outcome[]> | readonly Outcome[]
}
