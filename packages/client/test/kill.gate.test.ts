import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { seed } from '../../../scripts/seed.ts'
import { areTimesStrict } from '../../../scripts/strict-times.ts'
import { createClient, createWallet, openFileJournal } from '../src/node.ts'
import { faultNames, rows } from './kill/places.mjs'
import { buildPackages } from './support/build-packages.ts'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

type Line = {
  readonly event: string
  readonly memo?: string
  readonly status?: string
  readonly code?: string
}

/** A program whose lines are JSON; what it needs to know is its first line of input. */
function run(command: string, args: readonly string[], given?: object) {
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: Line[] = []
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (text) => void lines.push(JSON.parse(text) as Line))
  }
  if (given !== undefined) child.stdin?.write(`${JSON.stringify(given)}\n`)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, lines, ended }
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-kill-'))
  await buildPackages('runtime', 'protocol', 'ledger', 'client', 'local-network')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Report = {
  readonly kills: number
  readonly byRow: Readonly<Record<string, number>>
  readonly byFault: Readonly<Record<string, number>>
  readonly orders: number
  readonly settles: number
  /** Settled after more than five seconds, or more than a busy machine explains. */
  readonly late: number
  readonly forks: number
}

const KILLS = gateSize('HAILSTONE_KILLS', { change: 40, night: 200 })

describe('kill -9', () => {
  it(`G-2, K1–K10: ${KILLS} kills lose no payment, pay none twice, and show none as failed that landed`, async () => {
    const soak = run(process.execPath, [
      ...[file('./kill-soak.mjs'), '--kills', String(KILLS), '--seed', String(seed), '--json'],
    ])
    const code = await soak.ended
    const report = soak.lines.at(-1) as unknown as Report
    const faultless = { lost: 0, duplicated: 0, falselyFailed: 0, unsettled: 0, damaged: 0 }
    expect(report).toMatchObject(faultless)
    if (areTimesStrict) expect(report.late).toBe(0)
    expect(code).toBe(0)
    expect(report.kills).toBeGreaterThanOrEqual(KILLS)
    expect(report.orders).toBeGreaterThanOrEqual(KILLS)
    // From here on every row and every trouble had its turn.
    if (KILLS < 200) return
    expect(new Set(Object.keys(report.byRow))).toStrictEqual(new Set(rows))
    expect(new Set(Object.keys(report.byFault))).toStrictEqual(new Set(faultNames))
    expect(report.forks).toBeGreaterThan(0)
  }, 1_800_000)
})

describe('a program that pays', () => {
  it('T1: on a full disk refuses what it cannot store, and settles what it has stored', async () => {
    await using network = await startLocalNetwork({ blockTimeMs: 3_600_000, seed: 'full disk' })
    const { address: to } = createWallet()
    const orders = Array.from({ length: 8 }, (_, order) => `order ${order}`)
    const { privateKey } = network.accounts.developers[0] ?? {}
    const place = { apiUrl: network.apiUrl, path: join(folder, 'full') }
    const given = { ...place, privateKey, to, orders, kill: null, timeoutMs: 60_000 }
    // 72 blocks of 1024 bytes: room for three payments at a time.
    const limited = `ulimit -f 72; exec "${process.execPath}" "${file('./kill/child.mjs')}"`
    const program = run('bash', ['-c', limited], given)
    const isRefused = ({ code }: Line): boolean => code === 'JOURNAL_WRITE_FAILED'
    // Nothing settles and makes room before the disk was full.
    await until(() => program.lines.some(isRefused))
    let hasEnded = false
    const ended = program.ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      await network.control.mine(1)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 200))])
    }
    const refused = program.lines.filter(({ event }) => event === 'not taken')
    // The program asks once each time: a connection that was closed in between is not what this is about.
    const others = refused.filter((line) => !isRefused(line) && !line.code?.startsWith('REQUEST_'))
    expect(others).toStrictEqual([])
    expect(program.lines.at(-1)).toStrictEqual({ event: 'done' })
    await using client = createClient({ apiUrl: network.apiUrl, timeoutMs: 60_000 })
    const paid: string[] = []
    for await (const { data } of client.transactionsOf({ address: to })) paid.push(data)
    expect(paid.sort()).toStrictEqual(orders)
  })

  it('T6: has its journal for itself, and leaves it to others when it is killed', async () => {
    await using network = await startLocalNetwork({ blockTimeMs: 3_600_000, seed: 'two programs' })
    const path = join(folder, 'shared')
    const { privateKey } = network.accounts.developers[0] ?? {}
    const given = {
      apiUrl: network.apiUrl,
      privateKey,
      to: createWallet().address,
      path,
      orders: ['one'],
      kill: null,
    }
    const program = run(process.execPath, [file('./kill/child.mjs')], given)
    await until(() => program.lines.some(({ event }) => event === 'taken'))
    const { pid: processId } = program.child
    await expect(openFileJournal({ path })).rejects.toMatchObject({
      code: 'JOURNAL_LOCKED',
      facts: { path, processId },
    })
    program.child.kill('SIGKILL')
    await program.ended
    const journal = await openFileJournal({ path })
    expect((await journal.read()).records.length).toBeGreaterThan(1)
    await journal.close()
  })
})
