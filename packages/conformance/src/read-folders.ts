import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type JsonValue, parseJson } from '@hailstone/protocol'

/** A file with its content, or why it could not be read, or why it is not checked. */
export type ReadFile =
  | { readonly path: string; readonly file: JsonValue }
  | { readonly path: string; readonly problem: string }
  | { readonly path: string; readonly leftOut: string }

const LIMIT_BYTES = 256 * 1024 * 1024

/**
 * Reads every file of the folders (or the files themselves) losslessly, sorted by name. Links are followed. Files
 * named
 * `.json`, in either letter case, must be JSON; of other files only those that are JSON are returned.
 */
export async function readFolders(places: readonly string[]): Promise<readonly ReadFile[]> {
  const paths = (await Promise.all(places.map((place) => filesIn(place, [])))).flat()
  return Promise.all(paths.map(readGiven))
}

/** @param above real paths of the enclosing folders, to which a link may lead back */
async function filesIn(place: string, above: readonly string[]): Promise<readonly string[]> {
  if (!(await stat(place)).isDirectory()) return [place]
  const folder = await realpath(place)
  if (above.includes(folder)) return []
  const names = (await readdir(place)).sort()
  const found = names.map((name) => {
    const path = join(place, name)
    // A broken link is reported when it is read.
    return filesIn(path, [...above, folder]).catch(() => [path])
  })
  return (await Promise.all(found)).flat()
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function readGiven(path: string): Promise<ReadFile> {
  try {
    const about = await stat(path)
    // Reading a pipe or a device may block for ever.
    if (!about.isFile() && !about.isDirectory()) return { path, leftOut: 'it is no file' }
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
    const isNamedJson = extname(path).toLowerCase() === '.json'
    return isNamedJson || /^\s*[{[]/.test(text) ? readText(path, text, isNamedJson) : leftOut(path)
  } catch (error) {
    return { path, problem: reasonOf(error) }
  }
}

const leftOut = (path: string): ReadFile => ({ path, leftOut: 'neither its name nor its text is JSON' })

function readText(path: string, text: string, isNamedJson: boolean): ReadFile {
  try {
    return { path, file: parseJson(text, { limitBytes: LIMIT_BYTES, limitDepth: 512 }) }
  } catch (error) {
    return isNamedJson ? { path, problem: reasonOf(error) } : leftOut(path)
  }
}
