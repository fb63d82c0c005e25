import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { createFiles } from '@hailstone/runtime/node'
import { checkBrandFolder } from '../files/check-brand-folder.ts'
import { findShell, shellCatalogue } from '../files/find-shell.ts'
import { isBright, passingPrimary } from '../theme/derive-theme.ts'
import { looks } from '../theme/looks.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, readWords, UsageError } from './command-options.ts'
import { starterIcon, starterLogo } from './draw-starter.ts'
import { type NewAnswers, newAnswers } from './new-answers.ts'
import { ownVersion } from './own-version.ts'
import { countLine, findingLines } from './print-findings.ts'
import { projectFiles } from './project-files.ts'

const encoder = new TextEncoder()

/** A brand whose questions are answered and of which nothing is written yet. */
export type PlannedBrand = {
  /** Writes its folder. Resolves with lines about it: the findings of its first check, and their count. */
  readonly write: () => Promise<readonly string[]>
}

/** Creates the folder of a new brand and checks it. Ends with 0 once it is there, whatever is still to be settled. */
export async function newCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const { folder, isProject, write } = await plan(words, io)
  for (const line of await write()) io.write(line)
  const shown = relative(io.cwd, folder)
  const way = shown === '' ? '' : `cd ${shown} && `
  if (isProject) io.write(`Next: ${way}npm install && npm run preview`)
  else
    io.write(`Next: edit ${join(shown, 'brand.ts')}, then run \`hailstone-brand check ${shown} --online\`.`)
  return 0
}

/**
 * Plans a new brand from options and answers, as `hailstone-brand new` does, and writes nothing yet. For programs that
 * create projects.
 *
 * @param words options of `hailstone-brand new`; the user is asked for missing ones
 * @throws {CommandLineError} with a sentence for whoever typed them
 */
export const planNewBrand = (words: readonly string[], io: CommandIo): Promise<PlannedBrand> =>
  plan(readWords('new', words), io)

async function plan(words: CommandWords, io: CommandIo) {
  const given = await newAnswers(words, io)
  const answers = { ...given, ...legible(given.primary, io) }
  const { folder, isProject } = await placeOf(answers, words, io)
  const starter = await starterFiles(answers, io)
  const write = async (): Promise<readonly string[]> => {
    const project = isProject ? projectFiles(answers, await ownVersion()) : []
    const left = await createFiles(folder, new Map([...starter, ...project]), ['.gitignore'])
    for (const path of left) io.write(`${path} was there and stays as it is.`)
    const { environment, target, flags } = words
    const catalogue = await shellCatalogue(await findShell(io))
    const { findings } = await checkBrandFolder({ folder, environment, target, flags, catalogue })
    return [...findingLines(findings), `${relative(io.cwd, folder) || answers.id}: ${countLine(findings)}`]
  }
  return { folder, isProject, write }
}

/** The main colour as a brand has it, and whether texts and thin parts take others that can be seen. */
type MainColour = { readonly primary: string; readonly isFixed: boolean }

/**
 * Returns the colour with enough contrast to both grounds, and says what it took. A bright one stays, as the ground of
 * buttons; of a dark one it is the nearest that has enough.
 */
function legible(primary: string, io: CommandIo): MainColour {
  const passing = passingPrimary(primary)
  if (passing === null || passing === primary) return { primary, isFixed: false }
  const isKept = isBright(primary)
  const where = isKept
    ? `for texts and thin parts, and ${primary} stays the ground of buttons, with dark text. In brand.ts theme.contrast is "fix".`
    : 'the nearest colour that has enough. It is theme.primary in brand.ts.'
  io.write(
    `${primary} has too little contrast in one of the two modes: ${passing} is taken${isKept ? ' ' : ', '}${where}`,
  )
  return { primary: isKept ? primary : passing, isFixed: isKept }
}

/** Returns true if the app of this command was not installed: a project could not install it from a registry. */
const isFromClone = ({ shellFolder }: CommandIo): boolean =>
  shellFolder !== undefined && !shellFolder.split(sep).includes('node_modules')

/** Returns the folder in which a brand is created, and if that is a project of its own. */
async function placeOf(
  { id }: NewAnswers,
  words: CommandWords,
  io: CommandIo,
): Promise<{ readonly folder: string; readonly isProject: boolean }> {
  const [named, ...more] = words.positionals
  if (more.length > 0) throw new UsageError(`Only one folder can be named; ${more[0]} is too much.`)
  const folder = named === undefined ? join(await parentOf(words, io), id) : resolve(io.cwd, named)
  const shown = relative(io.cwd, folder) || 'This folder'
  if (named === undefined ? await isThere(folder) : await hasFiles(folder))
    throw new UsageError(`${shown} already exists; nothing was changed.`)
  // Below brands/ the folder around it is the project, unless somebody named it.
  const isApart = named !== undefined || basename(dirname(folder)) !== 'brands'
  return { folder, isProject: isApart && !isFromClone(io) }
}

/** Returns the folder around a new brand: that of --dir, else ./brands if there is one, else this one. */
async function parentOf({ values }: CommandWords, { cwd }: CommandIo): Promise<string> {
  if (values.dir !== undefined) return resolve(cwd, values.dir)
  const brands = join(cwd, 'brands')
  return (await isThere(brands)) ? brands : cwd
}

/** Returns true if there is something that could be overwritten; a repository that was made first is not. */
const hasFiles = async (folder: string): Promise<boolean> =>
  (await isThere(folder)) && (await readdir(folder)).some((name) => !name.startsWith('.'))

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

async function starterFiles(
  answers: NewAnswers & MainColour,
  io: CommandIo,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const logo = await picture(answers.logo, () => starterLogo(answers.primary), io)
  const icon = await picture(answers.icon, () => starterIcon(answers.primary), io)
  const paths = { logo: `assets/logo${logo.extension}`, icon: `assets/icon${icon.extension}` }
  return new Map([
    ['brand.ts', encoder.encode(brandText(answers, paths))],
    [paths.logo, logo.bytes],
    [paths.icon, icon.bytes],
    ['i18n/en.json', encoder.encode('{}\n')],
  ])
}

async function picture(file: string | undefined, draw: () => string, io: CommandIo) {
  if (file === undefined) return { extension: '.svg', bytes: encoder.encode(draw()) }
  const extension = extname(file).toLowerCase()
  if (extension !== '.svg' && extension !== '.png')
    throw new UsageError(`${file} should be an .svg or a .png.`)
  try {
    return { extension, bytes: new Uint8Array(await readFile(resolve(io.cwd, file))) }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(`${file} cannot be read.`)
    throw error
  }
}

/** Formats a value as TypeScript source in this repository's style. */
const source = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The settings of a look, each on its line: from now on they are the brand's own. */
function themeLines({ look }: NewAnswers): string {
  if (look === undefined) return ''
  const { primary: _, ...rest } = looks[look]
  return Object.entries(rest)
    .map(([key, value]) => `\n    ${key}: ${source(value)},`)
    .join('')
}

function brandText(
  answers: NewAnswers & MainColour,
  paths: { readonly logo: string; readonly icon: string },
): string {
  const { name, id, tokenHash, primary, isFixed, network, ticker, decimals, api, gateway } = answers
  const optional = (key: string, value: string | undefined): string =>
    value === undefined ? '' : `\n    ${key}: ${value},`
  const token =
    optional('ticker', ticker === undefined ? undefined : source(ticker)) + optional('decimals', decimals)
  const poa = gateway === undefined ? undefined : `[${source(gateway)}]`
  const addresses = optional('api', api === undefined ? undefined : source(api)) + optional('poa', poa)
  return `import { defineBrand } from '@hailstone/white-label'

// Every setting has its documentation in the editor. Look for mistakes with \`hailstone-brand check --online\`.
export default defineBrand({
  schema: 1,
  id: ${source(id)},
  app: {
    name: ${source(name)},
  },
  token: {
    hash: ${source(tokenHash)},${token}
  },
  network: {
    preset: ${source(network)},${addresses}
  },
  theme: {
    primary: ${source(primary)},${isFixed ? "\n    contrast: 'fix'," : ''}${themeLines(answers)}
  },
  assets: {
    logo: ${source(paths.logo)},
    icon: ${source(paths.icon)},
  },
  environments: {
    // What differs when the app goes public: network, terms and privacy policy.
    prod: {},
  },
})
`
}
