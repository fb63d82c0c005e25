import { createHash } from 'node:crypto'
import { access, realpath, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileLockHolder } from '@hailstone/runtime/node'

export const FLEET_LOCK = 'fleet.lock'

const nameOf = (path: string): string =>
  `fleet-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Name of the webhooks of a fleet: of the path of its keys as it was given. A file that is mounted into a container is a
 * link into a folder that has another name at each start. Earlier versions named webhooks by where the link leads;
 * what lies there is taken over, unless another fleet uses it.
 *
 * @param folder of all webhooks
 */
export async function fleetOwner(keysFile: string, folder: string): Promise<string> {
  const given = resolve(keysFile)
  const owner = nameOf(given)
  const earlier = nameOf(await realpath(given).catch(() => given))
  if (earlier === owner || (await exists(join(folder, owner)))) return owner
  const place = join(folder, earlier)
  if (!(await exists(place)) || (await fileLockHolder(join(place, FLEET_LOCK))) !== null) return owner
  await rename(place, join(folder, owner))
  return owner
}
