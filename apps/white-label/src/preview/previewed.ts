import type { PreparedScreenName } from '../../tools/preview-files.ts'

/** Values that replace those of the preview; amounts are units, as decimal digits. Tests show the views with them. */
export type PreviewedValues = {
  readonly balance?: string | undefined
  /** Amount of every reward. */
  readonly reward?: string | undefined
  /** Number of rewards. */
  readonly rewards?: number | undefined
  /** True if the person has started mining. @default the value of the screen */
  readonly isWanted?: boolean | undefined
  /** True if the API does not answer and has never answered. */
  readonly knowsNothing?: boolean | undefined
  /** Names of calls that the engine refuses. @default none */
  readonly refuses?: readonly string[] | undefined
  /** Names of calls that the engine never answers. @default none */
  readonly leavesOpen?: readonly string[] | undefined
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
