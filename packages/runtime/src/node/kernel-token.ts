import { closeSync, constants, openSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * Something in a folder that the kernel takes back when its process ends, however it ends. On Linux a listening
 * socket, which is found through its file and so from every PID and network namespace of the same kernel; elsewhere a
 * file that is opened with a lock. `none`: the file system offers neither.
 */
export type TokenKind = 'socket' | 'file' | 'none'

export type KernelToken = {
  readonly kind: TokenKind
  /** Gives it back and removes its file. */
  readonly release: () => Promise<void>
}

/**
 * - `held`: its process lives, although it may be stopped and never answer.
 * - `free`: no process of this kernel holds it.
 * - `unknown`: this process may not ask.
 */
export type TokenState = 'held' | 'free' | 'unknown'

type OpenFlags = { readonly hold: number; readonly probe: number }

/** Flags that Node passes to the system as they are and has no names for. */
const O_NONBLOCK = 0x4
const O_SHLOCK = 0x10
const O_EXLOCK = 0x20
/** Of libuv: nobody else may open the file. */
const UV_FS_O_EXLOCK = 0x10000000

const bsdFlags: OpenFlags = { hold: O_EXLOCK | O_NONBLOCK, probe: O_SHLOCK | O_NONBLOCK }

/** Flags for opening a file with a lock, and for probing the lock. */
const openFlags: { readonly [platform: string]: OpenFlags } = {
  darwin: bsdFlags,
  freebsd: bsdFlags,
  openbsd: bsdFlags,
  win32: { hold: UV_FS_O_EXLOCK, probe: 0 },
}

const hasSockets = process.platform === 'linux' || process.platform === 'android'

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Answers of file systems, sandboxes and old kernels that have no such thing. */
const UNSUPPORTED = new Set(['EACCES', 'EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'ENOSYS', 'EAFNOSUPPORT'])

/** Creates a token. Its name must never have been used before. */
export async function holdToken(folder: string, name: string): Promise<KernelToken> {
  const flags = openFlags[process.platform]
  try {
    if (hasSockets) return await holdSocket(folder, name)
    if (flags !== undefined) return await holdFile(join(folder, name), flags)
  } catch (error) {
    if (!UNSUPPORTED.has(codeOf(error))) throw error
  }
  return { kind: 'none', release: async () => undefined }
}

/** Asks the kernel whether the process that created a token still lives. */
export function probeToken(folder: string, name: string): Promise<TokenState> {
  const flags = openFlags[process.platform]
  if (hasSockets) return probeSocket(folder, name)
  return flags === undefined ? Promise.resolve('unknown') : probeFile(join(folder, name), flags)
}

async function holdSocket(folder: string, name: string): Promise<KernelToken> {
  const server = createServer((socket) => socket.destroy())
  await withSocketPath(folder, name, (path) => listen(server, path))
  // A process that has no descriptor left for whoever asks still holds its lock.
  server.on('error', () => undefined)
  server.unref()
  return {
    kind: 'socket',
    release: async () => {
      await new Promise((resolve) => server.close(resolve))
      await rm(join(folder, name), { force: true })
    },
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    // Without `exclusive`, the primary process of a cluster would hold it instead of this worker.
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })

function probeSocket(folder: string, name: string): Promise<TokenState> {
  return withSocketPath(folder, name, (path) => connect(path))
}

const connect = (path: string): Promise<TokenState> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('held')
    })
    socket.once('error', (error) => {
      const code = codeOf(error)
      if (code === 'EMFILE' || code === 'ENFILE') return reject(error)
      // EAGAIN: it lives, and does not accept the connections that already wait.
      if (code === 'EAGAIN') return resolve('held')
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'free' : 'unknown')
    })
  })

/** The longest path of a socket that all systems take whole; longer ones are cut in silence. */
const LONGEST_SOCKET_PATH_BYTES = 100

/** Calls `use` with a path that is short enough for a socket: where the folder's is not, through its descriptor. */
async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH_BYTES) return use(path)
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`)
  } finally {
    closeSync(descriptor)
  }
}

async function holdFile(path: string, { hold }: OpenFlags): Promise<KernelToken> {
  const { O_RDWR, O_CREAT, O_EXCL } = constants
  let handle: FileHandle
  try {
    handle = await open(path, O_RDWR | O_CREAT | O_EXCL | hold, 0o644)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return {
    kind: 'file',
    release: async () => {
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

async function probeFile(path: string, { probe }: OpenFlags): Promise<TokenState> {
  try {
    const handle = await open(path, constants.O_RDONLY | probe)
    await handle.close()
    return 'free'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return 'free'
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EBUSY') return 'held'
    if (code === 'EMFILE' || code === 'ENFILE') throw error
    return 'unknown'
  }
}
