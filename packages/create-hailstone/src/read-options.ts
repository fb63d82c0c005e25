import { CommandLineError, readCommandLine } from '@hailstone/runtime/node'
import { isPackageManager, type PackageManager, packageManagers } from './package-manager.ts'
import { BRAND, isTemplateName, type TemplateName, templateTable } from './templates.ts'

/** npm takes options for its own unless two dashes stand before them, and passes on their values alone. */
export const DASHES = 'With npm, options follow two dashes, as in: -- my-miner --template node'

export const HELP = `create-hailstone [FOLDER] [options] – makes a project that mines

  --template NAME      see --list
  --pm NAME            npm, pnpm, yarn or bun          [the one that started this]
  --install            install the packages            [yes]
  --no-install         do not
  --packages FOLDER    take our packages from archives, as \`npm run pack\` in a clone writes them; with npm only
  --git                begin a git repository          [yes, if git is there]
  --no-git             do not
  --name TEXT          template brand: name of the app
  --token HASH         template brand: the token that it mines
  --primary #rrggbb    template brand: main colour
  --network NAME       template brand: mainnet, testnet, devnet or custom
  --yes                ask nothing and take the defaults
  --list               the templates
  --help               this text
  --version            print the version

${DASHES}`

const flags = {
  template: { type: 'string' },
  pm: { type: 'string' },
  packages: { type: 'string' },
  install: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  git: { type: 'boolean' },
  'no-git': { type: 'boolean' },
  name: { type: 'string' },
  token: { type: 'string' },
  primary: { type: 'string' },
  network: { type: 'string' },
  yes: { type: 'boolean', short: 'y', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const

const brandOptions = ['name', 'token', 'primary', 'network'] as const

/** Settings of the command line. Those that it leaves open are undefined. */
export type GivenOptions = {
  readonly kind: 'create'
  readonly folder: string | undefined
  readonly template: TemplateName | undefined
  readonly packageManager: PackageManager | undefined
  /** Folder of archives that our packages come from. Undefined: the registry. */
  readonly packages: string | undefined
  readonly install: boolean | undefined
  readonly git: boolean | undefined
  /** Answers for the template `brand`, as words of `hailstone-brand new`. */
  readonly brandWords: readonly string[]
  /** True if nothing must be asked, whatever stands in front of the terminal. */
  readonly yes: boolean
}

function templateOf(text: string): TemplateName {
  if (isTemplateName(text)) return text
  throw new CommandLineError(`There is no template ${text}. The templates are:\n${templateTable()}`)
}

function packageManagerNamed(text: string): PackageManager {
  if (isPackageManager(text)) return text
  throw new CommandLineError(`--pm is one of ${packageManagers.join(', ')}, not ${text}.`)
}

function either(name: string, yes: boolean | undefined, no: boolean | undefined): boolean | undefined {
  if (yes === true && no === true) throw new CommandLineError(`Use --${name} or --no-${name}, not both.`)
  return yes ?? (no === true ? false : undefined)
}

/** Options of a brand need no `--template brand` beside them. */
const impliedBy = (given: readonly unknown[]): TemplateName | undefined =>
  given.length > 0 ? BRAND : undefined

/**
 * Reads the words of the command line. A second word that names a template counts as `--template`, since npm takes
 * `--template node` for an option of its own and passes `node` alone.
 *
 * @throws {CommandLineError} with a sentence for whoever typed them
 */
export function readOptions(
  args: readonly string[],
): GivenOptions | { readonly kind: 'help' | 'version' | 'list' } {
  const { values, positionals } = readCommandLine({ args: [...args], options: flags, allowPositionals: true })
  for (const kind of ['help', 'version', 'list'] as const) if (values[kind]) return { kind }
  const [folder, second, ...more] = positionals
  const isTemplate = second !== undefined && values.template === undefined && isTemplateName(second)
  const unexpected = second !== undefined && !isTemplate ? second : more[0]
  if (unexpected !== undefined)
    throw new CommandLineError(`Only one folder can be named; ${unexpected} is too much. ${DASHES}`)
  const named = values.template ?? (isTemplate ? second : undefined)
  const given = brandOptions.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [{ name, value }]
  })
  const template = named === undefined ? impliedBy(given) : templateOf(named)
  if (template !== undefined && template !== BRAND && given[0] !== undefined)
    throw new CommandLineError(`--${given[0].name} belongs to the template ${BRAND}, not to ${template}.`)
  const packageManager = values.pm === undefined ? undefined : packageManagerNamed(values.pm)
  if (values.packages !== undefined && (packageManager ?? 'npm') !== 'npm')
    throw new CommandLineError(`--packages is for npm alone, not for ${packageManager}.`)
  return {
    kind: 'create',
    folder,
    template,
    brandWords: given.map(({ name, value }) => `--${name}=${value}`),
    packageManager: values.packages === undefined ? packageManager : 'npm',
    packages: values.packages,
    install: either('install', values.install, values['no-install']),
    git: either('git', values.git, values['no-git']),
    yes: values.yes,
  }
}
