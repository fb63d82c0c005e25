import type { JsonValue } from '@hailstone/protocol'

/** Result of one case. A skipped case has a reason. */
export type Outcome =
  | { readonly name: string; readonly verdict: 'passed' }
  | { readonly name: string; readonly verdict: 'failed'; readonly reason: string }
  | { readonly name: string; readonly verdict: 'skipped'; readonly reason: string }

/** A file given on the command line, parsed losslessly. */
export type GivenFile = { readonly path: string; readonly file: JsonValue }

/** Further input of a check: some recordings need the ledger of the same seed. */
export type CheckContext = {
  readonly files: readonly GivenFile[]
  /** Path of the file; nearer ledgers are preferred. @default none preferred */
  readonly path?: string | undefined
}

/** Recognises one kind of file by its shape and runs every case in it. */
export type Check = {
  readonly kind: string
  readonly recognises: (file: JsonValue) => boolean
  readonly run: (file: JsonValue, context: CheckContext) => Promise<readonly Outcome[]> | readonly Outcome[]
}
