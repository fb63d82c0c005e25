import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FleetEvent } from '../src/fleet/fleet-events.ts'
import type { FleetHealth } from '../src/fleet/fleet-health.ts'
import { startLoadGateway } from './load-gateway.ts'
import { pause } from './until.ts'

const script = fileURLToPath(new URL('fleet-child.mjs', import.meta.url))
const keyOf = (number: number): string => sha256Hex(`process key ${number}`)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-fleet-'))
})
const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(() => rm(folder, { recursive: true }))

type Child = {
  readonly process: ChildProcess
  readonly ask: <T>(question: string) => Promise<T>
  readonly ended: Promise<unknown>
}

async function startChild(
  url: string,
  options: { readonly nodes: number; readonly threads: number; readonly openFiles?: number },
): Promise<Child> {
  const { nodes, threads, openFiles } = options
  const keyFile = join(folder, `keys-${nodes}`)
  await writeFile(keyFile, Array.from({ length: nodes }, (_, number) => `${keyOf(number)}\n`).join(''))
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `
  // A key is part of the longer text that was read from the file, of which snapshots show the beginning only.
  const command = `${limit}exec "$0" --expose-gc --heap-snapshot-string-limit=1000000 "$@"`
  const child = spawn('sh', ['-c', command, process.execPath, script, url, String(threads), keyFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse(String((await lines.next()).value))
  await next()
  return {
    process: child,
    ended: once(child, 'exit'),
    ask: async (question) => {
      child.stdin.write(`${question}\n`)
      return next()
    },
  }
}

async function healthWhen(child: Child, holds: (health: FleetHealth) => boolean): Promise<FleetHealth> {
  for (let tries = 0; tries < 400; tries++) {
    const health = await child.ask<FleetHealth>('health')
    if (holds(health)) return health
    await pause(25)
  }
  throw new Error('the health did not come')
}

describe('a fleet in a process of its own', () => {
  it('L6: runs on with what it has when the system gives no more files, and says so', async () => {
    await using gateway = await startLoadGateway()
    const child = await startChild(gateway.url, { nodes: 300, threads: 0, openFiles: 256 })
    const health = await healthWhen(child, ({ shortage }) => shortage !== null)
    expect(health.shortage).toBe('EMFILE')
    const settled = await healthWhen(
      child,
      ({ nodes }) => nodes.waitingForBeacon > 150 && nodes.waitingForBeacon + nodes.waiting === 300,
    )
    const hailed = settled.nodes.waitingForBeacon
    const problem = settled.problems.find(({ why }) => why.includes('EMFILE'))
    expect(problem?.nextStep).toContain('ulimit -n')
    const [shortage, ...more] = await child.ask<readonly FleetEvent[]>('events')
    expect(shortage).toMatchObject({ type: 'shortage', code: 'EMFILE' })
    expect(more).toEqual([])
    const round = await gateway.ask('broadcast', { transactions: 1 })
    expect(round).toMatchObject({ asked: hailed, answered: hailed })
    expect(await child.ask('stop')).toEqual({ stopped: 300 })
    expect((await child.ended) as readonly unknown[]).toEqual([0, null])
  })

  it('keeps no key on the main thread when others sign', async () => {
    await using gateway = await startLoadGateway()
    const child = await startChild(gateway.url, { nodes: 40, threads: 1 })
    await healthWhen(child, ({ nodes }) => nodes.waitingForBeacon === 40)
    const reversed = [...keyOf(17)].reverse().join('')
    expect(await child.ask(`heap ${reversed}`)).toEqual({ holds: false })
    expect(await child.ask('stop')).toEqual({ stopped: 40 })
    await child.ended
    // The same search finds a key where it has to be: a check that cannot fail would be none.
    const local = await startChild(gateway.url, { nodes: 40, threads: 0 })
    await healthWhen(local, ({ nodes }) => nodes.waitingForBeacon === 40)
    expect(await local.ask(`heap ${reversed}`)).toEqual({ holds: true })
    await local.ask('stop')
    await local.ended
  })
})
