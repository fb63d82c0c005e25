import { assertArgument } from '@hailstone/protocol'
import { misspeltName } from '@hailstone/runtime'

/** Every name of the settings, so that a new one does not compile before it stands here. */
export type NamesOf<Settings> = { readonly [Name in keyof Settings]-?: true }

/**
 * Refuses a misspelt name of a setting, such as `apiURL`, which would be ignored. Names that resemble none may belong to
 * the program.
 *
 * @param of completes "The parameter"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertNames<Settings extends object>(
  of: string,
  settings: Settings,
  names: NamesOf<Settings>,
): void {
  const { found, meant } = misspeltName(settings, names) ?? {}
  assertArgument(meant === undefined, of, `named ${meant}`, found)
}
