import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { announceProcess, RUNNING, runningProcesses, takeProcessPlace } from './running-process.ts'

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-running-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('lists what runs, with its address, and nothing after its end', async () => {
  const data = await emptyFolder()
  const folder = join(data, RUNNING)
  expect(await runningProcesses(folder)).toEqual([])
  const network = await announceProcess({
    program: 'network',
    healthUrl: 'http://127.0.0.1:4410/health',
    data,
  })
  expect(network.trouble).toBeNull()
  const miner = await takeProcessPlace({ folder, program: 'miner', name: 'account' })
  if (!('release' in miner)) throw new Error('it is taken')
  expect(await takeProcessPlace({ folder, program: 'miner', name: 'account' })).toMatchObject({
    processId: process.pid,
  })
  await miner.announce('http://127.0.0.1:4420/status')
  const listed = await runningProcesses(folder)
  expect(listed.map(({ program, healthUrl }) => [program, healthUrl])).toEqual(
    expect.arrayContaining([
      ['network', 'http://127.0.0.1:4410/health'],
      ['miner', 'http://127.0.0.1:4420/status'],
    ]),
  )
  for (const { processId, startedAtMs } of listed)
    expect([processId, typeof startedAtMs]).toEqual([process.pid, 'number'])
  await network.release()
  await miner.release()
  expect(await readdir(folder)).toEqual([])
})

it('takes a record of another process for none, and removes what a killed one left', async () => {
  const data = await emptyFolder()
  const folder = join(data, RUNNING)
  const first = await takeProcessPlace({ folder, program: 'miner', name: 'account' })
  await writeFile(
    join(folder, 'account.record'),
    JSON.stringify({ program: 'miner', processId: 1, healthUrl: 'x' }),
  )
  expect(await runningProcesses(folder)).toEqual([
    { name: 'account', program: null, processId: process.pid, startedAtMs: null, healthUrl: null },
  ])
  const left = `network-${'0'.repeat(16)}`
  const dead = await takeProcessPlace({ folder, program: 'network', name: left })
  if (!('release' in first) || !('release' in dead)) throw new Error('it is taken')
  await rm(join(folder, `${left}.lock`), { recursive: true })
  await writeFile(join(folder, `${left}.lock`), '')
  await using next = await announceProcess({ program: 'indexer', healthUrl: undefined, data })
  expect(next.trouble).toBeNull()
  expect((await readdir(folder)).filter((name) => name.startsWith(left))).toEqual([])
  await first.release()
})

it('asks in the folder of somebody else without changing it, and without following what stands for a record', async () => {
  const folder = await emptyFolder()
  const place = await takeProcessPlace({ folder, program: 'miner', name: 'account' })
  if (!('release' in place)) throw new Error('it is taken')
  const record = join(folder, 'account.record')
  const listed = async () => (await runningProcesses(folder)).map(({ healthUrl }) => healthUrl)
  const write = (healthUrl: string) =>
    writeFile(record, JSON.stringify({ program: 'miner', processId: process.pid, healthUrl }))
  for (const [given, shown] of [
    ['http://127.0.0.1:4420/status', 'http://127.0.0.1:4420/status'],
    ['nowhere', null],
    ['file:///etc/passwd', null],
    ['http://', null],
    [`http://127.0.0.1/${'x'.repeat(5000)}`, null],
  ] as const) {
    await write(given)
    expect(await listed()).toEqual([shown])
  }
  await write('http://127.0.0.1:4420/status')
  await rename(record, join(folder, 'elsewhere'))
  await symlink('elsewhere', record)
  expect(await listed()).toEqual([null])
  const [claim = ''] = (await readdir(join(folder, 'account.lock'))).filter((name) => name.endsWith('.json'))
  const others = join(folder, 'account.lock', claim.replace(/^./, 'z'))
  execFileSync('mkfifo', [others])
  expect(await listed()).toEqual([null])
  await rm(others)
  await writeFile(join(folder, 'package.lock'), 'of somebody else')
  expect(await listed()).toEqual([null])
  expect(await readdir(folder)).toContain('package.lock')
  await place.release()
})

it('says why it is not listed where no folder can be made', async () => {
  const data = join(await emptyFolder(), 'file')
  await writeFile(data, '')
  const { trouble } = await announceProcess({ program: 'network', healthUrl: undefined, data })
  expect(trouble).toMatch(/does not find this process\. .*a part of the path is a file/)
})
