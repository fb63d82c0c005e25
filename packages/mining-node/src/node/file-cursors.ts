import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { assertArgument } from '@hailstone/protocol'
import { makeFolder } from '@hailstone/runtime/node'
import type { CursorStore } from '../cursors/cursor-store.ts'

/**
 * Keeps each name in a file of its own, replaced as a whole: after a crash or a power cut it is the old or the new
 * text. Files can be read by their owner only. One program at a time writes a folder.
 *
 * @param parameters.folder is made when it is not there
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function openFileCursors(parameters: {
  /** Folder of the cursors; it is made if it is absent. */
  readonly folder: string
}): CursorStore {
  const { folder } = Object(parameters ?? {}) as typeof parameters
  const isPath = typeof folder === 'string' && folder !== ''
  assertArgument(
    isPath,
    'folder',
    "the path of a folder, as in openFileCursors({ folder: 'cursors' })",
    folder,
  )
  /** The writing under way of each name; the next one waits for it. */
  const writing = new Map<string, Promise<void>>()

  async function replace(path: string, text: string): Promise<void> {
    await makeFolder(folder, { mode: 0o700 })
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      await writeWhole(temporary, text)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await syncFolder(folder)
  }

  return {
    read: async (name) => {
      await writing.get(name)
      return readFile(join(folder, fileName(name)), 'utf8').catch(nullIfAbsent)
    },
    write: (name, text) => {
      const before = writing.get(name) ?? Promise.resolve()
      const path = join(folder, fileName(name))
      const written = before.catch(() => undefined).then(() => replace(path, text))
      writing.set(name, written)
      return written.finally(() => {
        if (writing.get(name) === written) writing.delete(name)
      })
    },
  }
}

/** Names hold colons and whatever else a system may not like in a file's name. */
const fileName = (name: string): string =>
  `${name.replace(/[^0-9a-z-]/gi, (found) => `_${found.charCodeAt(0)}_`)}.json`

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text, 'utf8')
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Some systems cannot open a folder; there the rename alone has to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  try {
    await handle?.sync()
  } catch {
    // As above.
  } finally {
    await handle?.close()
  }
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
