import { constants } from 'node:fs'
import { copyFile, type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { type FileLock, type LockHolder, makeFolder, takeFileLock } from '@hailstone/runtime/node'
import { realPathOf } from './real-path.ts'
import { secondPathOf } from './second-path.ts'
import { syncFolder } from './sync-folder.ts'

/** A file that is written in place. Everything rejects with what the system calls the fault. */
export type JournalFile = {
  /** Writes the whole text; resolves when it is on the disk. */
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>
  /** Cuts the file to a length in bytes. */
  readonly truncate: (lengthBytes: number) => Promise<void>
  /** Resolves when content and length would survive a power cut. */
  readonly sync: () => Promise<void>
  /** Like `sync`, without metadata that reading does not need (fdatasync). */
  readonly syncData: () => Promise<void>
  /** False when the path leads to another file than this one by now. @default always true */
  readonly isAt?: ((path: string) => Promise<boolean>) | undefined
  /** Closes the file. Nothing is written afterwards. */
  readonly close: () => Promise<void>
}

export type DiskLock = Pick<FileLock, 'release'>

type DiskLockHolder = Pick<LockHolder, 'processId'> & Partial<LockHolder>

/** All that a journal asks of a disk; simulations bring one that forgets, tears and fills up. */
export type JournalDisk = {
  /** Makes the folder, for its owner alone, when it is not there. */
  readonly makeFolder: (folder: string) => Promise<void>
  /** Returns the one path of a file, without symbolic links. @default the path as it is */
  readonly realPath?: ((path: string) => Promise<string>) | undefined
  /** Returns why the file could be opened under a second path, null if it could not. @default null */
  readonly secondPath?: ((path: string) => Promise<string | null>) | undefined
  /** Locks the file for this process. Resolves with the lock, or with the process that has it. */
  readonly lock: (path: string) => Promise<DiskLock | DiskLockHolder>
  /** One character per byte; null when there is no such file. */
  readonly read: (path: string) => Promise<string | null>
  /** Opens a file as it is, or an empty one; its owner alone may read it. */
  readonly open: (path: string) => Promise<JournalFile>
  /** Like `open`, a new file in place of one that is there. */
  readonly create: (path: string) => Promise<JournalFile>
  /** Renames a file, over another one if there is one. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** Deletes a file. */
  readonly remove: (path: string) => Promise<void>
  /** Makes a file for its owner alone that survives a power cut; rejects with EEXIST where there is one. */
  readonly copy: (from: string, to: string) => Promise<void>
  /** Makes new and renamed files survive a power cut. */
  readonly syncFolder: (folder: string) => Promise<void>
}

export const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === code

/** Opens no symbolic link; Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0

/** The disk of this machine. */
export const systemDisk: JournalDisk = {
  makeFolder: (folder) => makeFolder(folder, { mode: 0o700 }),
  realPath: realPathOf,
  secondPath: secondPathOf,
  lock: takeFileLock,
  read: async (path) => {
    try {
      return await readFile(path, 'latin1')
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null
      throw error
    }
  },
  open: async (path) => {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | NO_LINK, 0o600)
    try {
      await handle.chmod(0o600)
    } catch (error) {
      await handle.close()
      throw error
    }
    return fileOf(handle)
  },
  create: async (path) => {
    // What a link of this name leads to is not ours.
    await rm(path, { force: true })
    return fileOf(await open(path, 'wx+', 0o600))
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  copy: async (from, to) => {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    const handle = await open(to, 'r+')
    try {
      await handle.chmod(0o600)
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  syncFolder,
}

const fileOf = (handle: FileHandle): JournalFile => ({
  write: async (bytes, position) => {
    let done = 0
    while (done < bytes.length) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
      done += bytesWritten
    }
  },
  truncate: (lengthBytes) => handle.truncate(lengthBytes),
  sync: () => handle.sync(),
  syncData: () => handle.datasync(),
  isAt: async (path) => {
    const [own, there] = await Promise.all([handle.stat({ bigint: true }), lstat(path, { bigint: true })])
    return own.ino === there.ino && own.dev === there.dev
  },
  close: () => handle.close(),
})
