import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeFileLock } from '@hailstone/runtime/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FLEET_LOCK, fleetOwner, noteOwner, takeKeysFile } from './fleet-owner.ts'

let folder = ''
let webhooks = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-owner-'))
  webhooks = join(folder, 'webhooks')
  await mkdir(webhooks)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A secret as Kubernetes mounts it: `keys` → `..data/keys`, `..data` → a folder that is new at each start. */
async function mounted(stamp: string): Promise<string> {
  await mkdir(join(folder, 'secret', `..${stamp}`), { recursive: true })
  await writeFile(join(folder, 'secret', `..${stamp}`, 'keys'), '')
  await symlink(`..${stamp}`, join(folder, 'secret', '..new'))
  await rename(join(folder, 'secret', '..new'), join(folder, 'secret', '..data'))
  const path = join(folder, 'secret', 'keys')
  await symlink('..data/keys', path).catch(() => undefined)
  return path
}

it('is the same at each start of a pod', async () => {
  const first = await fleetOwner(await mounted('2026_01'), webhooks)
  const second = await fleetOwner(await mounted('2026_02'), webhooks)
  expect(second).toBe(first)
  expect(await fleetOwner(join(folder, 'another'), webhooks)).not.toBe(first)
})

it('is what it was for a file that is no link', async () => {
  const path = join(folder, 'keys')
  await writeFile(path, '')
  const before = await fleetOwner(path, webhooks)
  await mkdir(join(webhooks, before))
  const link = join(folder, 'link')
  await symlink(path, link)
  // The name that an earlier version gave to the link, too.
  await writeFile(join(webhooks, before, 'waiting'), 'events')
  const owner = await fleetOwner(link, webhooks)
  expect(owner).not.toBe(before)
  expect(await readdir(webhooks)).toEqual([owner])
  expect(await readFile(join(webhooks, owner, 'waiting'), 'utf8')).toBe('events')
})

it('leaves alone what another fleet uses', async () => {
  const path = join(folder, 'keys')
  await writeFile(path, '')
  const used = await fleetOwner(path, webhooks)
  await mkdir(join(webhooks, used))
  const lock = await takeFileLock(join(webhooks, used, FLEET_LOCK))
  await symlink(path, join(folder, 'link'))
  await fleetOwner(join(folder, 'link'), webhooks)
  expect(await readdir(webhooks)).toEqual([used])
  if ('release' in lock) await lock.release()
})

it('is not taken from a stopped fleet to whose keys a link leads', async () => {
  const path = join(folder, 'keys')
  await writeFile(path, '')
  const stopped = await fleetOwner(path, webhooks)
  await mkdir(join(webhooks, stopped))
  await noteOwner(join(webhooks, stopped))
  await symlink(path, join(folder, 'link'))
  await fleetOwner(join(folder, 'link'), webhooks)
  expect(await readdir(webhooks)).toEqual([stopped])
})

describe('a file of keys', () => {
  const release = async (taken: Awaited<ReturnType<typeof takeKeysFile>>): Promise<void> => {
    if (!('release' in taken)) throw new Error('held')
    await taken.release()
  }

  it('is that of one fleet, whichever path leads to it', async () => {
    const path = join(folder, 'keys')
    await writeFile(path, '')
    await writeFile(join(folder, 'others'), '')
    for (const name of ['one', 'two']) await symlink(path, join(folder, name))
    for (const first of [path, join(folder, 'one')]) {
      const taken = await takeKeysFile(first, webhooks)
      for (const second of [path, join(folder, 'one'), join(folder, 'two')])
        expect(await takeKeysFile(second, webhooks)).toMatchObject({ processId: process.pid })
      await release(await takeKeysFile(join(folder, 'others'), webhooks))
      await release(taken)
    }
    await release(await takeKeysFile(join(folder, 'two'), webhooks))
  })

  it('is held by a fleet of an earlier version, which locks its webhooks alone', async () => {
    const path = join(folder, 'keys')
    await writeFile(path, '')
    await symlink(path, join(folder, 'link'))
    const earlier = join(webhooks, await fleetOwner(path, webhooks))
    await mkdir(earlier)
    const lock = await takeFileLock(join(earlier, FLEET_LOCK))
    expect(await takeKeysFile(join(folder, 'link'), webhooks)).toMatchObject({ processId: process.pid })
    await release(lock)
    await release(await takeKeysFile(join(folder, 'link'), webhooks))
  })

  it('that is mounted anew at each start is free at each start', async () => {
    for (const stamp of ['2026_01', '2026_02'])
      await release(await takeKeysFile(await mounted(stamp), webhooks))
    expect(await readdir(webhooks)).toEqual([])
  })
})
