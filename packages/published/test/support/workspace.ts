import { fileURLToPath } from 'node:url'

/** Packages that users can install. */
export const published = [
  'runtime',
  'protocol',
  'client',
  'mining-node',
  'hailstone',
  'ledger',
  'local-network',
  'brand',
  'react',
] as const

export type PublishedName = (typeof published)[number]

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))

export const folderOf = (name: PublishedName): string => `${root}packages/${name}`

/** Name in the registry: scoped, but for the command, which people type. */
export const packageNameOf = (name: PublishedName): string =>
  name === 'hailstone' ? name : `@hailstone/${name}`

export const tarballOf = (folder: string, name: PublishedName): string =>
  `${folder}/${packageNameOf(name).replace(/^@(.+)\//, '$1-')}-0.1.0.tgz`

/** A command of this package. */
export const binOf = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))
