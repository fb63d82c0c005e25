import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const mountFlags = (sizeMb: number, folder: string): readonly string[] => [
  ...['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`],
  ...['hailstone-test', folder],
]

function findObstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a small disk needs root on Linux'
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-disk-'))
  try {
    execFileSync('mount', mountFlags(1, folder), { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return null
  } catch {
    return 'no file system can be mounted here'
  } finally {
    rmdirSync(folder)
  }
}

/** Null when a small disk can be made here, else why not. */
export const smallDiskMissing: string | null = findObstacle()

export type SmallDisk = {
  readonly folder: string
  /** Writes a file over all the room that is left. */
  readonly fill: () => Promise<void>
  /** Removes that file. */
  readonly makeRoom: () => Promise<void>
  /** Takes the disk away, with all that is on it. */
  readonly stop: () => Promise<void>
}

/** A file system of its own in memory, with nothing on it. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-disk-'))
  await run('mount', [...mountFlags(sizeMb, folder)])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      // A network that writes meanwhile takes some of the room: then the disk is full, which is what was wanted.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
    },
    makeRoom: () => rm(ballast),
    async stop() {
      await run('umount', [folder])
      await rmdir(folder)
    },
  }
}
