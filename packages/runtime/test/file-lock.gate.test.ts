import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FileLock, fileLockHolder, takeFileLock } from '../src/node.ts'
import { canHarden, hardenings, hasNamespaces, script, start, temporaryFolder } from './support.ts'

let folder = ''
let lock = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  lock = join(folder, 'journal.lock')
})

async function take(): Promise<FileLock> {
  const taken = await takeFileLock(lock)
  if ('release' in taken) return taken
  throw new Error(`it is held by ${taken.processId}`)
}

/** Writes another record into the claim that lies there, as a process of another machine would have. */
async function rewriteRecord(change: Record<string, unknown>): Promise<void> {
  const name = (await readdir(lock)).find((file) => file.endsWith('.json'))
  const path = join(lock, String(name))
  const record = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  await writeFile(path, JSON.stringify({ ...record, ...change }))
}

async function killedHolder(): Promise<void> {
  const child = start(['hold', lock])
  expect(await child.line()).toMatchObject({ taken: true })
  await child.kill()
}

describe('a file lock', () => {
  it('is one process’s, says whose, and is free after it was given back', async () => {
    const taken = await take()
    const holder = { processId: process.pid, host: hostname(), place: 'here', lock }
    expect(await takeFileLock(lock)).toStrictEqual(holder)
    expect(await fileLockHolder(lock)).toStrictEqual(holder)
    await taken.release()
    await taken.release()
    expect(await fileLockHolder(lock)).toBeNull()
    await (await take()).release()
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('excludes a thread of the same process', async () => {
    const taken = await take()
    const worker = new Worker(
      `import(${JSON.stringify(import.meta.resolve('../dist/bundle/node.js'))}).then(async (runtime) =>
        require('node:worker_threads').parentPort.postMessage(
          Object.keys(await runtime.takeFileLock(${JSON.stringify(lock)}))))`,
      { eval: true },
    )
    expect(await once(worker, 'message')).toStrictEqual([['processId', 'host', 'place', 'lock']])
    await worker.terminate()
    await taken.release()
  })

  it('is free as soon as its holder was killed', async () => {
    const child = start(['hold', lock])
    const { processId } = await child.line()
    expect(await takeFileLock(lock)).toMatchObject({ processId, place: 'here' })
    await child.kill()
    await (await take()).release()
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('stays with a holder that is stopped and answers nobody', async () => {
    const child = start(['hold', lock])
    const { processId } = await child.line()
    child.process.kill('SIGSTOP')
    // More than a stopped process has room for.
    for (let asked = 0; asked < 600; asked++) {
      expect(await fileLockHolder(lock)).toMatchObject({ processId })
    }
    child.process.kill('SIGCONT')
  })

  it('is taken where the path is longer than that of any socket', async () => {
    lock = join(folder, 'a'.repeat(200), 'b'.repeat(200), 'journal.lock')
    await mkdir(join(lock, '..'), { recursive: true })
    const child = start(['hold', lock])
    expect(await child.line()).toMatchObject({ taken: true, kind: 'socket' })
    expect(await takeFileLock(lock)).toMatchObject({ processId: child.process.pid })
    await child.kill()
    await (await take()).release()
  })

  it('is never two processes’, however many take it at once, and one of them always has it', async () => {
    const inside = join(folder, 'inside')
    const racers = Array.from({ length: 6 }, () => start(['race', lock, inside, '60']))
    const taken = await Promise.all(racers.map(async ({ line }) => Number((await line())['taken'])))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(60)
    expect(await fileLockHolder(lock)).toBeNull()
  })

  it('is taken by exactly one of those who find a dead holder', async () => {
    for (let round = 0; round < 5; round++) {
      await killedHolder()
      const children = Array.from({ length: 4 }, () => start(['hold', lock]))
      const lines = await Promise.all(children.map(({ line }) => line()))
      expect(lines.filter(({ taken }) => taken === true)).toHaveLength(1)
      const [holder] = lines.filter(({ taken }) => taken === true)
      for (const other of lines.filter(({ taken }) => taken !== true)) {
        expect(other).toMatchObject({ processId: holder?.['processId'] })
      }
      await Promise.all(children.map(({ kill }) => kill()))
    }
  })

  it('recovers after a restart of the machine, and from a record that a power cut emptied', async () => {
    await killedHolder()
    await rewriteRecord({
      boot: 'an earlier one',
      pidNamespace: 'pid:[1]',
      processId: process.pid,
      start: '1',
    })
    await (await take()).release()
    await killedHolder()
    const name = (await readdir(lock)).find((file) => file.endsWith('.json'))
    await writeFile(join(lock, String(name)), '')
    await (await take()).release()
  })

  it('of another machine on a network file system is held until somebody removes it', async () => {
    const NFS = 0x6969
    await killedHolder()
    await rewriteRecord({ boot: 'of another machine', host: 'web-2', processId: 17, fileSystem: NFS })
    expect(await takeFileLock(lock)).toStrictEqual({ processId: 17, host: 'web-2', place: 'unknown', lock })
    expect(await fileLockHolder(lock)).toMatchObject({ place: 'unknown' })
    await rm(lock, { recursive: true })
    await (await take()).release()
  })

  it('without a token is its process’s, in the same PID namespace alone', async () => {
    const child = start(['hold', lock])
    const { processId } = await child.line()
    await rewriteRecord({ kind: 'none' })
    expect(await takeFileLock(lock)).toMatchObject({ processId, place: 'here' })
    await rewriteRecord({ pidNamespace: 'pid:[1]' })
    await child.kill()
    expect(await takeFileLock(lock)).toMatchObject({ processId, place: 'unknown' })
    await rm(lock, { recursive: true })
    await killedHolder()
    await rewriteRecord({ kind: 'none' })
    await (await take()).release()
  })

  it('of an earlier version is respected while its process lives, and replaced after', async () => {
    const child = start(['hold', join(folder, 'other.lock')])
    await child.line()
    const stat = await readFile(`/proc/${child.process.pid}/stat`, 'utf8')
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    await writeFile(lock, `${child.process.pid} ${startedAt}`)
    expect(await takeFileLock(lock)).toMatchObject({ processId: child.process.pid })
    await child.kill()
    await (await take()).release()
  })

  it('that cannot be taken because of the folder says what the system says', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(takeFileLock(join(folder, 'file', 'x.lock'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('goes with its folder when that is renamed', async () => {
    const taken = await take()
    const moved = join(folder, 'moved.lock')
    await rename(lock, moved)
    expect(await takeFileLock(moved)).toMatchObject({ processId: process.pid })
    await rename(moved, lock)
    await taken.release()
  })
})

describe.runIf(hasNamespaces)('a file lock across namespaces (unshare)', () => {
  it.each([
    ['PID', ['-pf']],
    ['PID and network', ['-pfn']],
    ['PID, network, mount, IPC and host name', ['-pfnmiu']],
  ])('in another %s namespace is held while its holder lives, and free after', async (_, unshare) => {
    const child = start(['hold', lock], { unshare })
    expect(await child.line()).toMatchObject({ taken: true, kind: 'socket', processId: 1 })
    const expected = { processId: 1, host: hostname(), place: 'elsewhere', lock }
    expect(await takeFileLock(lock)).toStrictEqual(expected)
    const second = start(['hold', lock], { unshare })
    expect(await second.line()).toStrictEqual(expected)
    await child.kill()
    // Process 1 once more, as a container that was killed and starts again.
    const again = start(['hold', lock], { unshare })
    await expect.poll(async () => (await fileLockHolder(lock))?.place).toBe('elsewhere')
    expect(await again.line()).toMatchObject({ taken: true, processId: 1 })
    await again.kill()
    await expect.poll(() => fileLockHolder(lock)).toBeNull()
    await (await take()).release()
  })

  it('is one of them’s where both are process 1 and start at once', async () => {
    for (let round = 0; round < 5; round++) {
      const children = Array.from({ length: 3 }, () => start(['hold', lock], { unshare: ['-pfn'] }))
      const lines = await Promise.all(children.map(({ line }) => line()))
      expect(lines.filter(({ taken }) => taken === true)).toHaveLength(1)
      await Promise.all(children.map(({ kill }) => kill()))
      await expect.poll(() => fileLockHolder(lock)).toBeNull()
    }
  })
})

describe.runIf(canHarden)('a file lock under the hardening of systemd (seccomp, /proc)', () => {
  it.each(Object.entries(hardenings))(
    '%s is held while its holder lives, and free each time it was killed',
    async (_, under) => {
      for (let round = 0; round < 2; round++) {
        const child = start(['hold', lock], { under })
        const { taken, processId } = await child.line()
        expect({ round, taken }).toStrictEqual({ round, taken: true })
        const second = start(['hold', lock], { under })
        expect(await second.line()).toMatchObject({ processId, place: 'here' })
        // Nothing is taken away from whoever asks here.
        expect(await fileLockHolder(lock)).toMatchObject({ processId, place: 'here' })
        await Promise.all([child.kill(), second.kill()])
        expect(child.said()).toBe('')
      }
      await (await take()).release()
    },
  )

  it('without Unix sockets is free while the parent of its killed holder has not asked how it ended', async () => {
    const under = hardenings['without Unix sockets']
    const parent = spawn('sh', [
      '-c',
      '"$@" & echo $!; exec sleep 1000',
      'sh',
      ...under,
      process.execPath,
      script,
      'hold',
      lock,
    ])
    try {
      await expect.poll(() => fileLockHolder(lock)).toMatchObject({ place: 'here' })
      process.kill(Number((await fileLockHolder(lock))?.processId), 'SIGKILL')
      await expect.poll(() => fileLockHolder(lock)).toBeNull()
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('without Unix sockets is free after a restart of the machine that gave the number to another process', async () => {
    const under = hardenings['without both']
    const child = start(['hold', lock], { under })
    await child.line()
    await child.kill()
    // Process 1 is of another user, and what it is stays hidden from that of the holder.
    await rewriteRecord({ processId: 1, start: '1', user: 65_534 })
    await chmod(folder, 0o777)
    const asNobody = ['setpriv', '--reuid=65534', '--clear-groups', '--bounding-set=-all', '--inh-caps=-all']
    const next = start(['hold', join(folder, 'journal.lock')], { under: [...under, ...asNobody] })
    await chmod(lock, 0o777)
    expect(await next.line()).toMatchObject({ taken: true })
  })

  it('says at its start that nobody could tell, in a container without Unix sockets', async () => {
    const under = hardenings['without Unix sockets']
    const child = start(['hold', lock], { under, unshare: ['-pf'] })
    expect(await child.line()).toMatchObject({ taken: true, kind: 'none' })
    await expect.poll(child.said).toContain('HAILSTONE_LOCK')
    expect(child.said()).toContain(lock)
  })
})
