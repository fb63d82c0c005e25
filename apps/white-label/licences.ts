import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Name of the file in every build. */
const LICENCES = 'licenses.txt'

/** Package of others whose code is in a build. */
type Bundled = {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

type Manifest = { readonly name?: string; readonly version?: string; readonly license?: string }

/** Texts for packages that come without one, by their SPDX name. Only such that name nobody. */
const texts: Readonly<Record<string, string>> = {
  Unlicense: readFileSync(new URL('licences/unlicense.txt', import.meta.url), 'utf8'),
}

/** Returns the folder of the package that a module is of. Undefined for modules of this repository. */
const folderOf = (module: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replace(/[?].*$/, () => ''))?.[0]

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Reads the licence of a package. @throws {Error} if it has no text: nothing is shipped without */
export function licenceIn(folder: string): Bundled {
  const { name = folder, version = '', license = '' } = manifestIn(folder)
  const files = readdirSync(folder)
  // Of two licences to choose from, the shorter one.
  const file = [/^licen[cs]e-mit$/i, /^licen[cs]e(?:\.\w+)?$/i]
    .map((pattern) => files.find((one) => pattern.test(one)))
    .find((one) => one !== undefined)
  const text = file === undefined ? texts[license] : readFileSync(join(folder, file), 'utf8')
  if (text === undefined || text.trim() === '')
    throw new Error(
      `${name} ${version} is bundled and has no text of its licence, ${license || 'which it does not name'}.`,
    )
  return { name, version, licence: license, text: ownPart(text) }
}

/** Returns the part of a text that is about the package itself, without those of packages which are not bundled here. */
const ownPart = (text: string): string => text.split(/^#+ Licenses of bundled dependencies/m)[0]?.trim() ?? ''

/** Returns the file that a build ships: each package, and each text once, with the packages that have it. */
export function printLicences(bundled: readonly Bundled[]): string {
  const byText = new Map<string, string[]>()
  for (const { name, version, licence, text } of bundled) {
    const names = byText.get(text) ?? []
    byText.set(text, [...names, `${name} ${version} (${licence})`])
  }
  const parts = [...byText]
    .map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text}\n`)
    .sort()
  return `This app has code of these packages, under their licences.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

const require = createRequire(import.meta.url)

/** Folders of the tools whose helpers are in a build, by the beginning of the names of such modules. */
const helpers = (): ReadonlyMap<string, string> => {
  const vite = require.resolve('vite/package.json')
  return new Map([
    ['\0vite/', dirname(vite)],
    ['\0rolldown/', dirname(createRequire(vite).resolve('rolldown/package.json'))],
  ])
}

/** This repository, whose code is in every build as well. */
const own = (): Bundled => {
  const { version = '' } = manifestIn(fileURLToPath(new URL('.', import.meta.url)))
  const text = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8').trim()
  return { name: 'Hailstone', version, licence: 'MIT', text }
}

/**
 * Collects the packages whose code is in a build, workers included, and writes their licences beside it. Workers are
 * built before the page that starts them, by plugins of their own, which `collect` returns.
 */
export function licences(): { readonly collect: () => Plugin; readonly emit: () => Plugin } {
  const folders = new Set<string>()
  const tools = [...helpers()]
  const collect = (): Plugin => ({
    name: 'collect-licences',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue
        for (const [module, { renderedLength }] of Object.entries(part.modules)) {
          if (renderedLength === 0) continue
          const [, tool] = tools.find(([begins]) => module.startsWith(begins)) ?? []
          const folder = tool ?? folderOf(module)
          if (folder !== undefined) folders.add(folder)
        }
      }
    },
  })
  const emit = (): Plugin => ({
    name: 'emit-licences',
    generateBundle: {
      order: 'post',
      handler() {
        const source = printLicences([own(), ...[...folders].map(licenceIn)])
        this.emitFile({ type: 'asset', fileName: LICENCES, source })
      },
    },
  })
  return { collect, emit }
}
