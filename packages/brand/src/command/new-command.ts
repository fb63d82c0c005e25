import { readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { checkBrandFolder } from '../files/check-brand-folder.ts'
import { findShell, shellCatalogue } from '../files/find-shell.ts'
import { writeFiles } from '../files/write-files.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { starterIcon, starterLogo } from './draw-starter.ts'
import { type NewAnswers, newAnswers } from './new-answers.ts'
import { ownVersion } from './own-version.ts'
import { countLine, exitCodeOf, findingLines } from './print-findings.ts'
import { projectFiles } from './project-files.ts'

const encoder = new TextEncoder()

/** Creates the folder of a new brand and checks it. */
export async function newCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const answers = await newAnswers(words, io)
  const shell = await findShell(io)
  const parent = await parentOf(words, io)
  const folder = join(parent, answers.id)
  if (await isThere(folder))
    throw new UsageError(`${relative(io.cwd, folder)} already exists; nothing was changed.`)
  await writeFiles(folder, await starterFiles(answers, io))
  // Below brands/ the folder around it is the project.
  const isProject = basename(parent) !== 'brands'
  if (isProject) await writeFiles(folder, projectFiles(answers, await ownVersion()))
  const { environment, target, flags } = words
  const { findings } = await checkBrandFolder({
    folder,
    environment,
    target,
    flags,
    catalogue: await shellCatalogue(shell),
  })
  for (const line of findingLines(findings)) io.write(line)
  const shown = relative(io.cwd, folder)
  io.write(`${shown}: ${countLine(findings)}`)
  if (isProject) io.write(`Next: cd ${shown} && npm install && npm run preview`)
  else
    io.write(`Next: edit ${join(shown, 'brand.ts')}, then run \`hailstone-brand check ${shown} --online\`.`)
  return exitCodeOf(findings)
}

/** Returns the folder in which a brand is created: that of --dir, else ./brands if there is one, else this one. */
async function parentOf({ values }: CommandWords, { cwd }: CommandIo): Promise<string> {
  if (values.dir !== undefined) return resolve(cwd, values.dir)
  const brands = join(cwd, 'brands')
  return (await isThere(brands)) ? brands : cwd
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

async function starterFiles(answers: NewAnswers, io: CommandIo): Promise<ReadonlyMap<string, Uint8Array>> {
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

function brandText(answers: NewAnswers, paths: { readonly logo: string; readonly icon: string }): string {
  const { name, id, tokenHash, primary, network, ticker, decimals, api, gateway } = answers
  const optional = (key: string, value: string | undefined): string =>
    value === undefined ? '' : `\n    ${key}: ${value},`
  const token =
    optional('ticker', ticker === undefined ? undefined : source(ticker)) + optional('decimals', decimals)
  const poa = gateway === undefined ? undefined : `[${source(gateway)}]`
  const addresses = optional('api', api === undefined ? undefined : source(api)) + optional('poa', poa)
  return `import { defineBrand } from '@hailstone/white-label'

// Every setting has its documentation in the editor. Look for mistakes with \`npx hailstone-brand check --online\`.
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
    primary: ${source(primary)},
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
