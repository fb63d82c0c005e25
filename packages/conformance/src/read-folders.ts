import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonValue, parseJson } from '@hailstone/protocol'

/** A file that was read, or why it was not. */
export type ReadFile =
  | { readonly path: string; readonly file: JsonValue }
  | { readonly path: string; readonly problem: string }

const LIMIT_BYTES = 256 * 1024 * 1024

/** Every `.json` file of the folders (or the files themselves), in order of their names, read losslessly. */
export async function readFolders(places: readonly string[]): Promise<readonly ReadFile[]> {
  const paths = (await Promise.all(places.map(jsonFilesIn))).flat()
  return Promise.all(paths.map(readJsonFile))
}

async function jsonFilesIn(place: string): Promise<readonly string[]> {
  if ((await stat(place)).isFile()) return [place]
  const entries = await readdir(place, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function readJsonFile(path: string): Promise<ReadFile> {
  try {
    return {
      path,
      file: parseJson(await readFile(path, 'utf8'), { limitBytes: LIMIT_BYTES, limitDepth: 512 }),
    }
  } catch (error) {
    return { path, problem: error instanceof Error ? error.message : String(error) }
  }
}
