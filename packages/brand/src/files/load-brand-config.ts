import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writtenText } from '@hailstone/runtime/node'
import { createJiti } from 'jiti'
import { type Finding, finding } from '../findings/finding.ts'

/** File names of a brand, in order of preference. */
export const brandFileNames = ['brand.ts', 'brand.js', 'brand.json'] as const

const LARGEST_BYTES = 256_000

/** Brand file of a folder as it was read. */
export type LoadedConfig = {
  /** Content of the file, unchecked; undefined if it could not be read. */
  readonly config: unknown
  /** Name of the file in the folder, or null. */
  readonly fileName: (typeof brandFileNames)[number] | null
  readonly findings: readonly Finding[]
}

/** Returns the brand file of a folder, or null. */
export async function brandFileOf(folder: string): Promise<(typeof brandFileNames)[number] | null> {
  for (const name of brandFileNames) if ((await sizeOf(join(folder, name))) !== null) return name
  return null
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    const facts = await stat(path)
    return facts.isFile() ? facts.size : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/**
 * Reads the brand file of a folder. A `.ts` or `.js` brand is a program and is executed. Take brands from strangers
 * as
 * `.json`, which is only parsed.
 */
export async function loadBrandConfig(folder: string): Promise<LoadedConfig> {
  const fileName = await brandFileOf(folder)
  const failed = (reason: Finding): LoadedConfig => ({ config: undefined, fileName, findings: [reason] })
  if (fileName === null) {
    return failed(finding('brand-not-found', { path: folder, found: `none of ${brandFileNames.join(', ')}` }))
  }
  const path = join(folder, fileName)
  const size = (await sizeOf(path)) ?? 0
  if (size > LARGEST_BYTES)
    return failed(finding('file-too-large', { path: fileName, found: `${size} bytes` }))
  try {
    return { config: await readBrandFile(path), fileName, findings: [] }
  } catch (error) {
    const found = error instanceof Error ? error.message : 'something was thrown'
    return failed(finding('brand-unreadable', { path: fileName, found }))
  }
}

/** Reads a brand from a file: JSON, or a program, which is executed. */
export const readBrandFile = (path: string): Promise<unknown> =>
  path.endsWith('.json') ? readJson(path) : runBrandProgram(path)

const readJson = async (path: string): Promise<unknown> => JSON.parse(writtenText(await readFile(path)))

/** Runs without a cache, so that a changed file is read again. */
function runBrandProgram(path: string): Promise<unknown> {
  // `defineBrand` resolves to this package, so that a brand can be checked before anything is installed.
  const isSource = import.meta.url.endsWith('.ts')
  const own = fileURLToPath(new URL(`../index.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    alias: { '@hailstone/brand': own, '@hailstone/white-label': own },
  })
  return jiti.import(path, { default: true })
}
