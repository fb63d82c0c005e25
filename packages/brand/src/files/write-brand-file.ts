import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { brandFileNames } from './load-brand-config.ts'

/** The package that a brand imports `defineBrand` from: package managers link only what its folder depends on. */
const SOURCE = /from\s+['"](@hailstone\/(?:brand|white-label))['"]/

export type WriteBrandFileParameters = {
  readonly folder: string
  readonly fileName: (typeof brandFileNames)[number]
  readonly config: unknown
}

/** Writes the settings of a brand as data, and keeps the file before beside it, as `brand.ts.before`. */
export async function writeBrandFile({ folder, fileName, config }: WriteBrandFileParameters): Promise<void> {
  const path = join(folder, fileName)
  const before = await readFile(path, 'utf8')
  await rename(path, `${path}.before`)
  await writeFile(path, sourceOf(config, fileName, before))
}

function sourceOf(config: unknown, fileName: string, before: string): string {
  const data = JSON.stringify(config, null, 2)
  if (fileName === 'brand.json') return `${data}\n`
  const [, from = '@hailstone/white-label'] = SOURCE.exec(before) ?? []
  return `import { defineBrand } from '${from}'\n\nexport default defineBrand(${data})\n`
}
