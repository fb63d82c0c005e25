import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandLineError, replaceFile } from '@hailstone/runtime/node'

/** Packages of ours as archives in a folder. */
export type PackedPackages = {
  readonly folder: string
  /** By name: the archive, and what it depends on of ours. */
  readonly index: Readonly<
    Record<string, { readonly file: string; readonly dependencies: readonly string[] } | undefined>
  >
}

type Dependencies = Readonly<Record<string, string>>
type Manifest = { readonly dependencies?: Dependencies; readonly devDependencies?: Dependencies }

/**
 * Reads which archives `npm run pack` wrote into a folder.
 *
 * @throws {CommandLineError} if it wrote none there
 */
export function readPackedPackages(named: string): PackedPackages {
  const folder = resolve(named)
  const path = join(folder, 'packages.json')
  if (!existsSync(path))
    throw new CommandLineError(`There are no packages in ${named}; \`npm run pack\` in a clone writes them.`)
  return { folder, index: JSON.parse(readFileSync(path, 'utf8')) as PackedPackages['index'] }
}

/** Returns a manifest whose packages of ours come from archives: its own dependencies, and theirs by overrides. */
export function manifestWith<T extends Manifest>(
  manifest: T,
  { folder, index }: PackedPackages,
): T & { readonly overrides: Dependencies } {
  // Not relative: npm would take it as relative to the package that depends on it.
  const archiveOf = (name: string): string =>
    `file:${join(folder, index[name]?.file ?? '').replaceAll('\\', '/')}`
  const fromArchives = (dependencies: Dependencies = {}): Dependencies =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [
        name,
        index[name] === undefined ? range : archiveOf(name),
      ]),
    )
  const own = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const needed = new Set(own.filter((name) => index[name] !== undefined))
  // A set is walked to what is added meanwhile.
  for (const name of needed) for (const one of index[name]?.dependencies ?? []) needed.add(one)
  const overrides = [...needed].filter((name) => !own.includes(name))
  return {
    ...manifest,
    ...(manifest.dependencies && { dependencies: fromArchives(manifest.dependencies) }),
    ...(manifest.devDependencies && { devDependencies: fromArchives(manifest.devDependencies) }),
    overrides: Object.fromEntries(overrides.map((name) => [name, archiveOf(name)])),
  }
}

/** Writes into the project of a folder that packages of ours come from archives. */
export async function installFromArchives(project: string, packages: PackedPackages): Promise<void> {
  const text = readFileSync(join(project, 'package.json'), 'utf8')
  const manifest = manifestWith(JSON.parse(text) as Manifest, packages)
  const bytes = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
  await replaceFile(project, 'package.json', bytes)
}
