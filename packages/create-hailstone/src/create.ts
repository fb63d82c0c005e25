import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { intro, outro } from '@clack/prompts'
import { CommandLineError, createFiles, systemFaultOf } from '@hailstone/runtime/node'
import { ask, Cancelled } from './ask.ts'
import { nameFrom, planBrand } from './brand.ts'
import { installCommand, type PackageManager, packageManagerOf, runCommandLine } from './package-manager.ts'
import { installFromArchives, type PackedPackages, readPackedPackages } from './packed-packages.ts'
import { DASHES, type GivenOptions, HELP, readOptions } from './read-options.ts'
import { obstacleIn } from './target-folder.ts'
import { BRAND, type TemplateName, templateTable } from './templates.ts'
import { templateFiles } from './write-project.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2
/** As a shell reports a process that Ctrl-C ended. */
const CANCELLED = 130

/** The process that runs the command, as far as it matters. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True if a person can be asked. */
  readonly isTerminal: boolean
  readonly say: (text: string) => void
  readonly complain: (text: string) => void
}

type Plan = {
  readonly folder: string
  readonly template: TemplateName
  /** Writes the files into the folder. Resolves with lines about them. */
  readonly write: (into: string) => Promise<readonly string[]>
  readonly packageManager: PackageManager
  readonly install: boolean
  readonly git: boolean
}

/** Returns whether a repository can and should be begun there: git is installed, and no folder above has one. */
function wantsGit(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return false
    if (dirname(at) === at) return spawnSync('git', ['--version'], { stdio: 'ignore' }).status === 0
  }
}

const folderFor = (template: TemplateName | undefined): string => `my-${template ?? 'miner'}`

/** Refuses a folder before a person has answered all other questions. */
function assertFree(folder: string): void {
  const obstacle = obstacleIn(folder)
  if (obstacle !== undefined) throw new CommandLineError(obstacle)
}

/** Returns what fills the folder, once all that a template asks is answered. */
async function contentOf(
  template: TemplateName,
  folder: string,
  brandWords: readonly string[],
  surroundings: Surroundings & { readonly ask?: ((question: string) => Promise<string>) | undefined },
): Promise<Plan['write']> {
  if (template === BRAND) return planBrand(folder, brandWords, surroundings)
  return async (into) => {
    await createFiles(into, templateFiles(template, into))
    return []
  }
}

async function planByAsking(
  given: GivenOptions,
  packageManager: PackageManager,
  surroundings: Surroundings,
): Promise<Plan> {
  if (given.folder !== undefined) assertFree(given.folder)
  intro('Hailstone')
  const folder = given.folder ?? (await ask.folder(folderFor(given.template)))
  const template = given.template ?? (await ask.template())
  const asking = { ...surroundings, ask: ask.line }
  const write = await contentOf(template, folder, given.brandWords, asking)
  const install = given.install ?? (await ask.install(installCommand(packageManager)))
  const git = given.git ?? (wantsGit(folder) ? await ask.git() : false)
  return { folder, template, write, packageManager, install, git }
}

async function planByDefaults(
  given: GivenOptions,
  packageManager: PackageManager,
  surroundings: Surroundings,
): Promise<Plan> {
  const { brandWords } = given
  const isNamed = brandWords.some((word) => word.startsWith('--name='))
  const missing = [
    given.folder === undefined ? 'a folder' : '',
    given.template === undefined ? '--template' : '',
    given.template === BRAND && !isNamed ? '--name' : '',
  ].filter((one) => one !== '')
  if (!given.yes && missing.length > 0)
    throw new CommandLineError(
      `There is nobody to ask, so the command line has to name ${missing.join(' and ')}. With --yes, defaults are taken.${packageManager === 'npm' ? ` ${DASHES}` : ''}`,
    )
  const { template = 'node' } = given
  const folder = given.folder ?? folderFor(template)
  assertFree(folder)
  const { install = true, git = wantsGit(folder) } = given
  const words = given.yes && !isNamed ? [...brandWords, `--name=${nameFrom(folder)}`] : brandWords
  const write = await contentOf(template, folder, words, surroundings)
  return { folder, template, write, packageManager, install, git }
}

/** Runs the package manager with its output shown. Resolves with its exit code. */
function installPackages(packageManager: PackageManager, folder: string): Promise<number> {
  const [command = '', ...words] = installCommand(packageManager).split(' ')
  const quietly = packageManager === 'npm' ? ['--no-audit', '--no-fund'] : []
  const child = spawn(command, [...words, ...quietly], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return new Promise((resolveCode) => {
    child.on('error', () => resolveCode(FAILED))
    child.on('close', (code) => resolveCode(code ?? FAILED))
  })
}

const firstScript = (template: TemplateName): string =>
  template === 'test' ? 'test' : template === BRAND ? 'preview' : 'dev'

async function carryOut(
  plan: Plan,
  packages: PackedPackages | undefined,
  { say, complain }: Surroundings,
): Promise<number> {
  const { folder, template, packageManager } = plan
  const lines = await plan.write(resolve(folder))
  if (packages !== undefined) await installFromArchives(resolve(folder), packages)
  for (const line of lines) say(line)
  if (plan.git) spawnSync('git', ['init', '--quiet'], { cwd: resolve(folder), stdio: 'ignore' })
  if (plan.install && (await installPackages(packageManager, resolve(folder))) !== DONE) {
    complain(`The packages could not be installed. The project is in ${folder}; try there again.`)
    return FAILED
  }
  const way = relative(process.cwd(), resolve(folder))
  const steps = [
    ...(way === '' ? [] : [`cd ${/\s/.test(way) ? JSON.stringify(way) : way}`]),
    ...(plan.install ? [] : [installCommand(packageManager)]),
    runCommandLine(packageManager, firstScript(template)),
  ]
  say(`\n${folder} is ready. Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}\n`)
  return DONE
}

/** Returns the text of `--version`: that of this package and of Node. */
async function versionText(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return `create-hailstone ${version}, node ${process.version}`
}

async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { say, environment, isTerminal } = surroundings
  const given = readOptions(words)
  if (given.kind === 'create') {
    const packages = given.packages === undefined ? undefined : readPackedPackages(given.packages)
    const packageManager = given.packageManager ?? packageManagerOf(environment.npm_config_user_agent)
    const isCi = !['', '0', 'false'].includes(environment.CI ?? '')
    const canAsk = isTerminal && !isCi && !given.yes
    const planned = canAsk ? planByAsking : planByDefaults
    const plan = await planned(given, packageManager, surroundings)
    if (canAsk) outro('All answered.')
    return carryOut(plan, packages, surroundings)
  }
  if (given.kind === 'help') say(HELP)
  if (given.kind === 'list') say(templateTable())
  if (given.kind === 'version') say(await versionText())
  return DONE
}

/** Runs the command and resolves with its exit code. A failure is one sentence. */
export async function create(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { complain } = surroundings
  try {
    return await run(words, surroundings)
  } catch (error) {
    if (error instanceof Cancelled) {
      complain('Nothing was written.')
      return CANCELLED
    }
    if (error instanceof CommandLineError) {
      complain(error.message)
      return WRONG_USAGE
    }
    const fault = systemFaultOf(error)
    if (fault === null) throw error
    complain(fault)
    return FAILED
  }
}
