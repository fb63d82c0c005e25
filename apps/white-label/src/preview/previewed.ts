import type { PreparedScreenName } from '../../tools/preview-files.ts'

/** Facts that the server of the preview writes into the page and before the engine. */
export type Previewed = {
  readonly screen: PreparedScreenName
  /** Address of the account that is shown; nobody has its key here. */
  readonly address: string
  readonly brandId: string
  /** Version of the legal texts and age, as if somebody had accepted them; null where the brand asks for none. */
  readonly legal: { readonly version: string | null; readonly minimumAge: number | null }
}
