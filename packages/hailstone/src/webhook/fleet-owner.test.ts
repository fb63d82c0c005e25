import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeFileLock } from '@hailstone/runtime/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FLEET_LOCK, fleetOwner } from './fleet-owner.ts'

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
