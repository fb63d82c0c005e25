import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Shell } from './find-shell.ts'
import { brandFileOf } from './load-brand-config.ts'

/**
 * Resolves the folder of a brand: a path, the name of a brand of the shell or in ./brands, or, without an argument,
 * the current folder. An unknown name is returned as a path, to be reported as missing.
 */
export async function findBrandFolder(
  word: string | undefined,
  cwd: string,
  shell: Shell | null,
): Promise<string> {
  if (word === undefined) return cwd
  const places = [
    resolve(cwd, word),
    join(cwd, 'brands', word),
    ...(shell === null ? [] : [join(shell.folder, 'brands', word)]),
  ]
  for (const place of places) if ((await brandFileOf(place)) !== null) return place
  return resolve(cwd, word)
}

/** Lists brand folders in several folders, in order, without reading them. */
export async function brandFoldersIn(parents: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const parent of new Set(parents)) {
    const names = await readdir(parent).catch(() => [])
    for (const name of names.sort()) {
      if ((await brandFileOf(join(parent, name))) !== null) found.push(join(parent, name))
    }
  }
  return found
}
