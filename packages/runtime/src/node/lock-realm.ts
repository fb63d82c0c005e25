import { readFile, readlink, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { TokenKind } from './kernel-token.ts'

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
  /** Number of the user; null where users have none. Absent from records of earlier versions. */
  readonly user?: number | null
}

/** True if processes of the platform have PID namespaces and tokens are sockets. */
export const isLinux = ({ platform }: { readonly platform: string }): boolean =>
  platform === 'linux' || platform === 'android'

type SeenProcess = { readonly start: string; readonly hasEnded: boolean }

/** What `/proc` shows of a process; null if it shows nothing, as of processes of other users under `hidepid`. */
async function seenProcess(processId: number | 'self'): Promise<SeenProcess | null> {
  const line = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '')
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const start = fields[19]
  // A process that was killed keeps its number until its parent asks how it ended.
  return start === undefined ? null : { start, hasEnded: fields[0] === 'Z' || fields[0] === 'X' }
}

/** '' where `/proc` shows the processes of another namespace, whose numbers say nothing here. */
async function ownNamespace(): Promise<string> {
  const seen = await readlink('/proc/self').catch(() => '')
  return seen === String(process.pid) ? readlink('/proc/self/ns/pid').catch(() => '') : ''
}

/** Describes this process and a folder that exists. */
export async function realmOf(folder: string): Promise<LockRealm> {
  const [seen, boot, pidNamespace, fileSystem, { dev }] = await Promise.all([
    seenProcess('self'),
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
    start: seen?.start ?? '',
    boot: boot.trim(),
    pidNamespace,
    fileSystem,
    device: dev,
    user: process.getuid?.() ?? null,
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

/** True if whoever uses the folder of both is of one kernel: of this one, or of one that runs no more. */
const isOfOneKernel = (here: LockRealm, other: LockRealm): boolean =>
  ofOneKernel.has(here.fileSystem) && ofOneKernel.has(other.fileSystem)

/**
 * True if a process of `other` that still lived would be seen by this kernel in this folder. Then a token that nobody
 * here holds belongs to a dead process: to one of this kernel, or to one of a kernel that no longer runs.
 */
export function seesTokensOf(here: LockRealm, other: LockRealm): boolean {
  if (here.platform !== other.platform) return false
  if (!isLinux(here)) return true
  if (isOfOneKernel(here, other)) return true
  return here.boot !== '' && here.boot === other.boot && here.device === other.device
}

/**
 * True if the process numbers of `other` mean the same processes here. Namespaces that exist at once on one kernel
 * differ in number. So where the file system is of one kernel, the number alone names the namespace, although a
 * sandbox may hide which kernel it is; one of an earlier start of the machine had the same number and other processes.
 */
export function sharesProcesses(here: LockRealm, other: LockRealm): boolean {
  if (here.platform !== other.platform) return false
  if (!isLinux(here)) return here.boot === other.boot && here.host === other.host
  if (here.pidNamespace === '' || here.pidNamespace !== other.pidNamespace) return false
  return isOfOneKernel(here, other) || (here.boot !== '' && here.boot === other.boot)
}

/** Answer of the system about the number of a process. Another user's process may not be asked. */
function numberState(processId: number): 'free' | 'taken' | 'taken by another user' {
  try {
    process.kill(processId, 0)
    return 'taken'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'taken by another user' : 'free'
  }
}

/** True if the process of a realm whose numbers mean the same here still runs, and if the system does not let us tell. */
export async function isRunning({
  processId,
  start,
  user,
}: Pick<LockRealm, 'processId' | 'start' | 'user'>): Promise<boolean> {
  if (numberState(processId) === 'free') return false
  const seen = await seenProcess(processId)
  if (seen !== null) return !seen.hasEnded && (start === '' || seen.start === start)
  const state = numberState(processId)
  // A process of the holder's user could be asked: another one has its number.
  if (state === 'taken by another user') return typeof user !== 'number' || user !== process.getuid?.()
  return state === 'taken'
}

/** The namespace that a machine starts with has this number on every kernel; those of containers have others. */
const FIRST_NAMESPACE = 'pid:[4026531836]'

/**
 * Why it may stay unknown later that a process was killed which holds a lock of this kind; null if whoever asks can
 * tell, on this machine and after a restart of it.
 */
export function doubtAbout(realm: LockRealm, kind: TokenKind): string | null {
  const isKernels = !isLinux(realm) || ofOneKernel.has(realm.fileSystem)
  if (kind !== 'none')
    return isKernels ? null : 'other machines may use its file system, and this one cannot ask for theirs'
  if (isLinux(realm) && isKernels && realm.pidNamespace === FIRST_NAMESPACE) return null
  return 'the system refused the socket or locked file that would tell, and process numbers of a container mean nothing outside of it'
}
