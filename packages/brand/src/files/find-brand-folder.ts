import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Shell } from './find-shell.ts'
import { brandFileOf } from './load-brand-config.ts'

/**
 * The folder a person means: a path, the name of a brand of the shell or of ./brands, or, without a word,
 * the folder they are in. A word that leads nowhere comes back as a path, to be reported as missing.
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

/** Folders of brands in some folders, in their order; nothing is read of them. */
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
