import { ENVIRONMENT_KEY } from '../environment-key.ts'
import type { Terminal } from '../terminal.ts'
import type { Config } from './parse-config.ts'

type Environment = Terminal['environment']

/** Options that say the same thing in several ways: whoever gives one of them means none of the others. */
const GROUPS: readonly (readonly string[])[] = [
  ['keyFile', 'keyStdin'],
  ['gateway', 'bootNode'],
  ['healthPort', 'healthListen'],
]

/** Variables that stand for an option. */
const VARIABLES: Readonly<Record<string, string>> = {
  network: 'HAILSTONE_NETWORK',
  api: 'HAILSTONE_API',
  gateway: 'HAILSTONE_GATEWAY',
  bootNode: 'HAILSTONE_BOOT_NODE',
  data: 'HAILSTONE_DATA',
  healthListen: 'HAILSTONE_HEALTH_LISTEN',
  healthTokenFile: 'HAILSTONE_HEALTH_TOKEN_FILE',
  keyFile: ENVIRONMENT_KEY,
}

const groupOf = (name: string): readonly string[] => GROUPS.find((group) => group.includes(name)) ?? [name]

/** Joins the options of a file with those of the command line: flags win over the environment, and that over the file. */
export function mergeConfig<G extends object>(
  flags: G,
  { options }: Pick<Config, 'options'>,
  environment: Environment,
): G {
  const isGiven = (name: string): boolean => {
    const variable = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined
    return Object.hasOwn(flags, name) || (variable !== undefined && Boolean(environment[variable]))
  }
  // A key that is piped in has no password.
  const without = Object.hasOwn(flags, 'keyStdin') ? ['passwordFile'] : []
  const taken = Object.entries(options).filter(
    ([name]) => !without.includes(name) && !groupOf(name).some(isGiven),
  )
  return { ...Object.fromEntries(taken), ...flags }
}
