import { fileURLToPath } from 'node:url'

/** Packages that users can install. */
export const published = [
  'runtime',
  'protocol',
  'client',
  'mining-node',
  'hailstone',
  'ledger',
  'database',
  'indexer',
  'fault-injection',
  'local-network',
  'brand',
  'react',
  'create-hailstone',
  'white-label',
  'hailstone-brand',
  'hailstone-indexer',
  'hailstone-network',
] as const

export type PublishedName = (typeof published)[number]

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))

export const folderOf = (name: PublishedName): string =>
  `${root}${name === 'white-label' ? 'apps' : 'packages'}/${name}`

/** Commands. They are run and not imported, and their names have no scope, since people type them. */
const commands: readonly PublishedName[] = [
  'hailstone',
  'create-hailstone',
  'hailstone-brand',
  'hailstone-indexer',
  'hailstone-network',
]

export const isImported = (name: PublishedName): boolean => !commands.includes(name)

/** Name in the registry. */
export const packageNameOf = (name: PublishedName): string => (isImported(name) ? `@hailstone/${name}` : name)

/** The archives of `@hailstone/brand` and `hailstone-brand` would have one name. */
export const tarballOf = (folder: string, name: PublishedName): string =>
  `${folder}/${isImported(name) ? 'hailstone' : 'unscoped'}-${name}-0.1.0.tgz`

/** A command of this package. */
export const binOf = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))
