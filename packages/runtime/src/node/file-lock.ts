import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { holdToken, type KernelToken, probeToken, type TokenKind } from './kernel-token.ts'
import {
  doubtAbout,
  isLinux,
  isRunning,
  type LockRealm,
  realmOf,
  seesTokensOf,
  sharesProcesses,
} from './lock-realm.ts'
import { shortText } from './short-text.ts'
import { aboutPath } from './system-fault.ts'

/*
 * A lock is a folder of claims. A claim is a record that names its process, and a token that the kernel takes back
 * when that process ends. A starter publishes its own claim first and looks for others second; it has the lock if
 * it found none whose process lives. Of two starters, the one that looks later sees the other's claim, however their
 * steps interleave, so two never have it. No name is ever used twice: whoever removes the claim of a dead process can't
 * remove that of a living one.
 */

/** The process that has a lock. */
export type LockHolder = {
  /** In its own PID namespace; null if it is not known. */
  readonly processId: number | null
  /** Name of its machine or container; null if it is not known. */
  readonly host: string | null
  /**
   * - `here`: a process of this PID namespace.
   * - `elsewhere`: it lives in another container of this machine.
   * - `unknown`: it can't be asked from here, on another machine for example. The lock counts as held until somebody
   *   who knows that the process is gone removes `lock`.
   */
  readonly place: 'here' | 'elsewhere' | 'unknown'
  /** The folder that is the lock. */
  readonly lock: string
}

/** A lock that this process holds until `release`. */
export type FileLock = {
  /** `none`: system or file system offer no token, and only the holder's PID namespace can tell that it ended. */
  readonly kind: TokenKind
  readonly release: () => Promise<void>
}

const RECORD = '.json'
const TOKEN = '.token'
/** Stands beside the record of a claim that has the lock, and is not just asking for it. */
const HELD = '.held'

type LockRecord = LockRealm & { readonly kind: TokenKind }

type Claim = { readonly name: string; readonly holder: LockHolder; readonly isHeld: boolean }

type OwnClaim = { readonly name: string; readonly token: KernelToken; readonly realm: LockRealm }

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

function recordIn(text: string): LockRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'processId' in value ? (value as LockRecord) : null
  } catch {
    return null
  }
}

/** Returns where the process of a claim lives; null if it is dead. */
async function placeOf(
  lock: string,
  name: string,
  here: LockRealm,
  record: LockRecord | null,
): Promise<LockHolder['place'] | null> {
  // A system that lost power may leave an empty record. Its file system is the one that is read here.
  const { kind, ...realm } = record ?? { kind: 'socket', ...here, pidNamespace: '' }
  const isNear = sharesProcesses(here, realm)
  if (kind !== 'none' && realm.platform === here.platform) {
    const state = await probeToken(lock, name + TOKEN)
    if (state === 'held') return isNear || !isLinux(realm) ? 'here' : 'elsewhere'
    if (state === 'free' && seesTokensOf(here, realm)) return null
  }
  if (!isNear) return 'unknown'
  return (await isRunning(realm)) ? 'here' : null
}

/** The claim of a record; null if it was withdrawn meanwhile, or if its process is dead. */
async function claimOf(lock: string, name: string, here: LockRealm): Promise<Claim | 'dead' | null> {
  const text = await shortText(join(lock, name + RECORD))
  if (text === null) return null
  const record = recordIn(text)
  const place = await placeOf(lock, name, here, record)
  if (place === null) return 'dead'
  const isHeld = (await shortText(join(lock, name + HELD))) !== null
  const { processId = null, host = null } = record ?? {}
  return { name, holder: { processId, host, place, lock }, isHeld }
}

async function removeClaim(lock: string, name: string): Promise<void> {
  for (const part of [RECORD, HELD, TOKEN]) await rm(join(lock, name + part), { force: true })
}

/** All claims of living processes, in the order in which starters give way to each other. */
async function livingClaims(lock: string, here: LockRealm, own?: string): Promise<readonly Claim[]> {
  const names = (await readdir(lock))
    .filter((file) => file.endsWith(RECORD))
    .map((file) => file.slice(0, -RECORD.length))
    .filter((name) => name !== own)
    .sort()
  const living: Claim[] = []
  for (const name of names) {
    const claim = await claimOf(lock, name, here)
    // One that another user left may stay: a dead claim is in nobody's way.
    if (claim === 'dead' && own !== undefined) await removeClaim(lock, name).catch(() => undefined)
    else if (claim !== null && claim !== 'dead') living.push(claim)
  }
  return living
}

/** A lock of an earlier version was a file with the number and the start of a process. Null if that one has ended. */
async function olderHolder(lock: string): Promise<LockHolder | null> {
  const [number = '', start = ''] = ((await shortText(lock)) ?? '').trim().split(' ')
  const processId = Number(number)
  const isNumber = Number.isSafeInteger(processId) && processId > 0 && processId !== process.pid
  if (isNumber && (await isRunning({ processId, start })))
    return { processId, host: null, place: 'here', lock }
  return null
}

/** Publishes a claim. Its token comes first: a record whose token nobody holds is that of a dead process. */
async function makeClaim(lock: string, name: string): Promise<OwnClaim> {
  await mkdir(lock, { recursive: true })
  const draft = join(lock, `${name}.new`)
  // From here on nobody can remove the folder.
  await writeFile(draft, '')
  let token: KernelToken | undefined
  try {
    const realm = await realmOf(lock)
    token = await holdToken(lock, name + TOKEN)
    const record: LockRecord = { ...realm, kind: token.kind }
    await writeFile(draft, JSON.stringify(record))
    await rename(draft, join(lock, name + RECORD))
    return { name, token, realm }
  } catch (error) {
    await token?.release()
    await rm(draft, { force: true })
    throw error
  }
}

/** The record goes first: without it there is no claim. The folder stays if others have claims in it. */
async function withdraw(lock: string, { name, token }: OwnClaim): Promise<void> {
  await rm(join(lock, name + RECORD), { force: true })
  await rm(join(lock, name + HELD), { force: true })
  await token.release()
  await rmdir(lock).catch(() => undefined)
}

/** Time between two looks at other starters, in ms, and how many there are before a starter counts as holder. */
const LOOK_EVERY_MS = 20
const LOOKS = 250

/** Settles a claim: it becomes the lock, finds a holder, or gives way to another starter. */
async function settle(lock: string, { name, realm }: OwnClaim): Promise<'held' | 'givenWay' | LockHolder> {
  for (let look = 0; ; look++) {
    const others = await livingClaims(lock, realm, name)
    const [first] = others
    if (first === undefined) {
      await writeFile(join(lock, name + HELD), '')
      return 'held'
    }
    const holder = others.find(({ isHeld, holder }) => isHeld || holder.place === 'unknown')
    if (holder !== undefined) return holder.holder
    if (first.name < name) return 'givenWay'
    if (look >= LOOKS) return first.holder
    await delay(LOOK_EVERY_MS)
  }
}

const warnedOf = new Set<string>()

/** Says once for each lock, as a warning of Node, that a person may have to remove what this process leaves. */
function warnOfDoubt(lock: string, { realm, token }: OwnClaim): void {
  const doubt = doubtAbout(realm, token.kind)
  if (doubt === null || warnedOf.has(lock)) return
  warnedOf.add(lock)
  process.emitWarning(
    `If this process is killed, its lock may have to be removed by hand: ${doubt}. Nothing may start again before ${lock} is removed.`,
    { code: 'HAILSTONE_LOCK' },
  )
}

/** One attempt; null if the folder was removed by a starter that gave up meanwhile. */
async function attempt(lock: string, name: string): Promise<FileLock | LockHolder | 'givenWay' | null> {
  let claim: OwnClaim
  try {
    claim = await aboutPath(lock, () => makeClaim(lock, name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  let outcome: Awaited<ReturnType<typeof settle>>
  try {
    outcome = await settle(lock, claim)
  } catch (error) {
    await withdraw(lock, claim)
    throw error
  }
  if (outcome !== 'held') {
    await withdraw(lock, claim)
    return outcome
  }
  warnOfDoubt(lock, claim)
  let released: Promise<void> | undefined
  const release = (): Promise<void> => {
    released ??= withdraw(lock, claim)
    return released
  }
  return { kind: claim.token.kind, release }
}

/**
 * Takes a lock for this process alone. Nothing waits for a holder: if another process has the lock, that one is
 * returned instead. The lock of a process that ended is free, however it ended; that of a stopped process is not.
 * Where nobody could tell that this process was killed, a warning with the code `HAILSTONE_LOCK` says so.
 *
 * @param lock absolute path of the lock, which is a folder of its own; the folder around it must exist
 */
export async function takeFileLock(lock: string): Promise<FileLock | LockHolder> {
  if ((await lstat(lock).catch(() => null))?.isFile()) {
    const older = await olderHolder(lock)
    if (older !== null) return older
    await rm(lock, { force: true })
  }
  // The same through all attempts, so that starters keep their order.
  const rank = randomBytes(6).toString('hex')
  for (let number = 0; ; number++) {
    const outcome = await attempt(lock, `${rank}-${randomBytes(8).toString('hex')}`)
    if (outcome !== null && outcome !== 'givenWay') return outcome
    if (number >= LOOKS) return { processId: null, host: null, place: 'unknown', lock }
    if (outcome === 'givenWay') await delay(LOOK_EVERY_MS)
  }
}

/** Returns the process that has a lock now; null if none has. Nothing is changed: the folder may be of somebody else. */
export async function fileLockHolder(lock: string): Promise<LockHolder | null> {
  try {
    const found = await lstat(lock)
    if (found.isFile()) return await olderHolder(lock)
    const claims = await livingClaims(lock, await realmOf(lock))
    return claims.find(({ isHeld }) => isHeld)?.holder ?? null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
