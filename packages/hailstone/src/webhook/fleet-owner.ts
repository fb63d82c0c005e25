import { createHash } from 'node:crypto'
import { access, realpath, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type FileLock, fileLockHolder, type LockHolder, takeFileLock } from '@hailstone/runtime/node'

export const FLEET_LOCK = 'fleet.lock'

const nameOf = (path: string): string =>
  `fleet-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Stands in webhooks that were named by the path as it was given. */
const NAMED_BY_PATH = 'named-by-path'

const realNameOf = async (given: string): Promise<string> => nameOf(await realpath(given).catch(() => given))

/**
 * Name of the webhooks of a fleet: of the path of its keys as it was given. A file that is mounted into a container is a
 * link into a folder that has another name at each start. Earlier versions named webhooks by where the link leads;
 * what lies there is taken over, unless it belongs to another fleet.
 *
 * @param folder of all webhooks
 */
export async function fleetOwner(keysFile: string, folder: string): Promise<string> {
  const given = resolve(keysFile)
  const owner = nameOf(given)
  const earlier = await realNameOf(given)
  if (earlier === owner || (await exists(join(folder, owner)))) return owner
  const place = join(folder, earlier)
  if (!(await exists(place)) || (await exists(join(place, NAMED_BY_PATH)))) return owner
  if ((await fileLockHolder(join(place, FLEET_LOCK))) !== null) return owner
  await rename(place, join(folder, owner))
  return owner
}

/**
 * Notes in the webhooks of a fleet that they were named by the path as it was given, so that a fleet with a link to that
 * path does not take them over. Rejects for nothing: the next start notes it too.
 */
export const noteOwner = (place: string): Promise<void> =>
  writeFile(join(place, NAMED_BY_PATH), '', { mode: 0o600 }).catch(() => undefined)

/**
 * Takes a file of keys for one fleet alone, whichever path was given: links lead to one file.
 *
 * @param folder of all webhooks
 * @returns the process that has it if another fleet does
 */
export async function takeKeysFile(keysFile: string, folder: string): Promise<FileLock | LockHolder> {
  const given = resolve(keysFile)
  const real = await realNameOf(given)
  // A fleet of an earlier version has this lock alone.
  const earlier = real === nameOf(given) ? null : await fileLockHolder(join(folder, real, FLEET_LOCK))
  return earlier ?? takeFileLock(join(folder, `keys-of-${real}.lock`))
}
