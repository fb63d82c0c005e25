import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, createWallet } from '../src/node.ts'
import { buildPackages } from './support/build-packages.ts'

const script = fileURLToPath(new URL('./kill/pay-once.mjs', import.meta.url))
const unshare = ['unshare', '-pf', '--mount-proc', '--kill-child']
const hasNamespaces = spawnSync('unshare', [...unshare.slice(1), 'true']).status === 0

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-namespaces-'))
  await buildPackages('runtime', 'protocol', 'ledger', 'client', 'local-network')
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A program in a PID namespace of its own, where it is process 1: what a container is to another. */
function contain(given: object) {
  const [command = '', ...options] = [...unshare, process.execPath, script, JSON.stringify(given)]
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? '{"ended":true}')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { line, kill, ended }
}

describe.runIf(hasNamespaces)('two containers that share a volume (unshare)', () => {
  it('one journal has one holder, and one idempotency key is paid once', async () => {
    await using network = await startLocalNetwork({ blockTimeMs: 500, seed: 'two containers' })
    const { address: to } = createWallet()
    const { privateKey } = network.accounts.developers[0] ?? {}
    const path = join(folder, 'shared', 'journal')
    const given = { apiUrl: network.apiUrl, privateKey, to, path, idempotencyKey: 'order 1' }

    const first = contain(given)
    const paid = await first.line()
    expect(paid).toStrictEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })

    const second = contain(given)
    expect(await second.line()).toMatchObject({
      code: 'JOURNAL_LOCKED',
      facts: { processId: 1, host: hostname(), place: 'elsewhere' },
      message: expect.stringContaining(`process 1 in another container ("${hostname()}")`),
    })
    expect(await second.ended).toStrictEqual([1, null])

    await first.kill()
    const third = contain(given)
    expect(await third.line()).toStrictEqual(paid)
    expect(await third.line()).toStrictEqual({ status: 'confirmed' })
    await third.kill()
    const client = createClient({ apiUrl: network.apiUrl })
    const { records } = await client.getTransactions({ address: to as Address })
    expect(records.map(({ hash }) => ({ hash }))).toStrictEqual([paid])
    await client.close()
  })
})
