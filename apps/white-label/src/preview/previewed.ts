import type { PreparedScreenName } from '../../tools/preview-files.ts'

/** Values in the place of the usual ones, in units as decimal digits. Tests try the views with what real life has. */
export type PreviewedValues = {
  readonly balance?: string | undefined
  /** Each reward. */
  readonly reward?: string | undefined
  /** Number of rewards. */
  readonly rewards?: number | undefined
  /** Whether mining was started. @default as the screen says */
  readonly isWanted?: boolean | undefined
  /** True if the API does not answer and nothing was ever read. */
  readonly knowsNothing?: boolean | undefined
}

/** Facts that the server of the preview writes into the page and before the engine. */
export type Previewed = {
  readonly screen: PreparedScreenName
  /** Address of the account that is shown; nobody has its key here. */
  readonly address: string
  readonly brandId: string
  readonly values?: PreviewedValues | undefined
  /** Version of the legal texts and age, as if somebody had accepted them; null where the brand asks for none. */
  readonly legal: { readonly version: string | null; readonly minimumAge: number | null }
}
