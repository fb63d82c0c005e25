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
