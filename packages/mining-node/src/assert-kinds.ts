import { assertArgument } from '@hailstone/protocol'
import { type SettingKinds, wrongSetting } from '@hailstone/runtime'

/**
 * Refuses a misspelt name of a setting, such as `apiURL`, which would be ignored, and a value of another kind, such as
 * `blockTimeMs: '5'`. Names that resemble none may belong to the program.
 *
 * @param of completes "The parameter"
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertKinds<Settings extends object>(
  of: string,
  settings: Settings,
  kinds: SettingKinds<Settings>,
): void {
  const wrong = wrongSetting({ of, settings, kinds })
  if (wrong !== undefined) assertArgument(false, wrong.name, wrong.expected, wrong.found)
}
