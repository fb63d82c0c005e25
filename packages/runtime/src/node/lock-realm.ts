import { readFile, readlink, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * Machine and container of a process and its view of a folder, as others need them to judge the locks it left there.
 */
export type LockRealm = {
  readonly platform: string
  /** Of the machine or the container. */
  readonly host: string
  readonly processId: number
  /** Start of the process in ticks since boot: tells it from a later one of the same number. '' if unknown. */
  readonly start: string
  /** Changes with each start of a kernel. '' if unknown. */
  readonly boot: string
  /** Namespace in which `processId` means this process. '' if unknown. */
  readonly pidNamespace: string
  /** Type of the file system, as statfs(2) numbers it. */
  readonly fileSystem: number
  /** Device of the folder. */
  readonly device: number
}

/** True if processes of the platform have PID namespaces and tokens are sockets. */
export const isLinux = ({ platform }: { readonly platform: string }): boolean =>
  platform === 'linux' || platform === 'android'

/** Start of a process in ticks since boot; '' if it does not run or the system does not say. */
async function startOf(processId: number | 'self'): Promise<string> {
  const line = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** '' where `/proc` shows the processes of another namespace, whose numbers say nothing here. */
async function ownNamespace(): Promise<string> {
  const seen = await readlink('/proc/self').catch(() => '')
  return seen === String(process.pid) ? readlink('/proc/self/ns/pid').catch(() => '') : ''
}

/** Describes this process and a folder that exists. */
export async function realmOf(folder: string): Promise<LockRealm> {
  const [start, boot, pidNamespace, fileSystem, { dev }] = await Promise.all([
    startOf('self'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ownNamespace(),
    statfs(folder).then(
      ({ type }) => type >>> 0,
      () => 0,
    ),
    stat(folder),
  ])
  return {
    platform: process.platform,
    host: hostname(),
    processId: process.pid,
    start,
    boot: boot.trim(),
    pidNamespace,
    fileSystem,
    device: dev,
  }
}

/**
 * File systems that one kernel at a time mounts: ext, XFS, Btrfs, ZFS, bcachefs, F2FS, tmpfs, ramfs, overlay, JFS,
 * ReiserFS, UBIFS, NILFS, aufs, eCryptfs, FAT, exFAT and NTFS. Not FUSE, 9p, NFS, SMB and those of clusters.
 */
const ofOneKernel = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xca451a4e, 0xf2f52010, 0x01021994, 0x858458f6, 0x794c7630,
  0x3153464a, 0x52654973, 0x24051905, 0x3434, 0x61756673, 0xf15f, 0x4d44, 0x2011bab0, 0x7366746e,
])

/**
 * True if a process of `other` that still lived would be seen by this kernel in this folder. Then a token that nobody
 * here holds belongs to a dead process: to one of this kernel, or to one of a kernel that no longer runs.
 */
export function seesTokensOf(here: LockRealm, other: LockRealm): boolean {
  if (here.platform !== other.platform) return false
  if (!isLinux(here)) return true
  if (ofOneKernel.has(here.fileSystem) && ofOneKernel.has(other.fileSystem)) return true
  return here.boot !== '' && here.boot === other.boot && here.device === other.device
}

/** True if the process numbers of `other` mean the same processes here. */
export function sharesProcesses(here: LockRealm, other: LockRealm): boolean {
  if (here.platform !== other.platform || here.boot !== other.boot) return false
  if (!isLinux(here)) return here.host === other.host
  return here.boot !== '' && here.pidNamespace !== '' && here.pidNamespace === other.pidNamespace
}

/** True if the process of a realm whose numbers mean the same here still runs. */
export async function isRunning({
  processId,
  start,
}: Pick<LockRealm, 'processId' | 'start'>): Promise<boolean> {
  try {
    process.kill(processId, 0)
  } catch (error) {
    // EPERM: it runs and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return start === '' || (await startOf(processId)) === start
}
