import { realpathSync, type Stats, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'

const GROUP_AND_OTHERS = 0o077
const OTHERS = 0o007
/** A group that only reads can change nothing. */
const MORE_THAN_GROUP_READING = 0o037
const MORE_THAN_READING = 0o337
const ROOT = 0

const realPathOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/**
 * True for a file that systemd passes to this process alone. Since systemd 254 it belongs to root and is opened by an
 * access list, which its mode shows as rights of the group.
 */
function isCredential(path: string, mode: number): boolean {
  const folder = process.env['CREDENTIALS_DIRECTORY']
  if (folder === undefined || folder === '') return false
  const real = realPathOf(folder)
  if (!realPathOf(path).startsWith(real + sep)) return false
  return (mode & OTHERS) === 0 || (statSync(real).mode & OTHERS) === 0
}

/**
 * True for a file that this process reads through its group, as containers mount secrets. For a process of root that file
 * is its own: one that root may only read as well, with a group that it was given (`root:fsGroup 0440` in Kubernetes).
 */
function isLent(mode: number, { uid, gid }: Pick<Stats, 'uid' | 'gid'>): boolean {
  const isOurGroup = process.getgroups?.().includes(gid) === true || process.getegid?.() === gid
  if (!isOurGroup) return false
  if (uid !== process.getuid?.()) return (mode & MORE_THAN_GROUP_READING) === 0
  return uid === ROOT && gid !== ROOT && (mode & MORE_THAN_READING) === 0
}

/**
 * Judges who else may use a file that holds a secret: a key, a password, a token. Private is a file of mode 600 or
 * less, one below `$CREDENTIALS_DIRECTORY`, and one of another user that a group of this process may read and others
 * may not. To a process of root, so is one of root with mode 440 and a group of this process other than root's.
 *
 * @param found of the file that was opened
 * @returns null for a private file, and on Windows, which has no modes; else the mode, such as `0644`
 */
export function openModeOf(path: string, found: Pick<Stats, 'mode' | 'uid' | 'gid'>): string | null {
  const mode = found.mode & 0o777
  if ((mode & GROUP_AND_OTHERS) === 0 || process.platform === 'win32') return null
  if (isCredential(path, mode) || isLent(mode, found)) return null
  return mode.toString(8).padStart(4, '0')
}

/**
 * Returns a sentence about a file whose secret others on this machine may read; null for a file that {@link openModeOf}
 * judges to be private.
 *
 * @param secret noun of the sentence, such as `password`
 * @throws the error of `stat` for a file that is not there
 */
export function openSecretWarning(path: string, secret: string): string | null {
  const mode = openModeOf(path, statSync(path))
  if (mode === null) return null
  return `Others on this machine may read the ${secret} in ${path} (mode ${mode}): run chmod 600 on it.`
}
