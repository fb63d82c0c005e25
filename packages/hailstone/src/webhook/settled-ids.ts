import { open, readFile, rename, rm, stat } from 'node:fs/promises'

/** Ids of events that need no delivery any more, kept in a file. */
export type SettledIds = {
  /** Looks at the file again when another process wrote to it. */
  readonly has: (id: string) => Promise<boolean>
  /** When it resolves, the id survives a kill and a power cut. One process at a time may call it. */
  readonly add: (id: string) => Promise<void>
}

const EVENT_ID = /^evt-[\da-f]{32}$/
const LINE_BYTES = 'evt-'.length + 32 + '\n'.length
/** Ids that are remembered at least; the file has up to twice as many. */
const KEPT = 10_000

/** Opens the list in a file, which need not be there. */
export function openSettledIds(path: string): SettledIds {
  let ids = new Set<string>()
  /** Length and inode of what was read; a file that is replaced or grows has others. */
  let read = ''
  /** Those that the disk did not take. */
  const unwritten = new Set<string>()
  /** A crash may have cut the last line off. */
  let isLineOpen = false

  async function refresh(): Promise<void> {
    const found = await stat(path).catch(nullIfAbsent)
    const now = found === null ? '' : `${found.ino} ${found.size}`
    if (now === read) return
    const text = found === null ? '' : await readFile(path, 'latin1')
    isLineOpen = text !== '' && !text.endsWith('\n')
    ids = new Set(text.split('\n').filter((line) => EVENT_ID.test(line)))
    read = now
  }

  async function append(id: string): Promise<void> {
    const file = await open(path, 'a', 0o600)
    try {
      await file.writeFile(`${isLineOpen ? '\n' : ''}${id}\n`)
      await file.datasync()
      isLineOpen = false
      ids.add(id)
      const { ino, size } = await file.stat()
      read = `${ino} ${size}`
      if (size > 2 * KEPT * LINE_BYTES) await shorten()
    } finally {
      await file.close()
    }
  }

  async function shorten(): Promise<void> {
    const kept = [...ids].slice(-KEPT)
    const draft = `${path}.new`
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(kept.map((id) => `${id}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    read = ''
  }

  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = queue.then(task)
    queue = done.catch(() => undefined)
    return done
  }
  return {
    has: (id) =>
      inTurn(async () => {
        await refresh()
        return ids.has(id) || unwritten.has(id)
      }),
    add: (id) =>
      inTurn(async () => {
        unwritten.add(id)
        await refresh()
        if (!ids.has(id)) await append(id)
        unwritten.delete(id)
      }),
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
