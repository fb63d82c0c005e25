import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '@hailstone/runtime/node'

/** Writes files below a folder and creates missing folders. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    const target = join(folder, path)
    await makeFolder(dirname(target))
    await writeFile(target, bytes)
  }
}
