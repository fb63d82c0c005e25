import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

/** Files that an empty folder may have: a repository that was made first, and traces of file managers. */
const HARMLESS = new Set(['.git', '.DS_Store', 'Thumbs.db'])

/** Returns why a project cannot be made in this folder, or undefined. Nothing is ever removed to make room. */
export function obstacleIn(folder: string): string | undefined {
  if (folder.trim() === '') return 'The folder needs a name.'
  const path = resolve(folder)
  if (!existsSync(path)) return undefined
  if (!statSync(path).isDirectory()) return `${folder} is a file.`
  const [first] = readdirSync(path).filter((name) => !HARMLESS.has(name))
  return first === undefined
    ? undefined
    : `The folder ${folder} is not empty: it has ${first}. Name another one.`
}

/** Returns the name that the package of a folder gets: what npm allows of the folder's own. */
export function packageNameFor(folder: string): string {
  const allowed = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
  return allowed === '' ? 'my-hailstone' : allowed.slice(0, 100)
}
