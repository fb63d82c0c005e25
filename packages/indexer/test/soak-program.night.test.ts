import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hailstone/client'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { describePostgres } from '../../local-network/test/engines.ts'
import {
  type PostgresServer,
  queryDatabase,
  startPostgres,
} from '../../local-network/test/postgres-server.ts'
import { type IndexPlace, openIndex } from '../src/open-index.ts'
import { openWriter } from '../src/run-indexer.ts'
import { contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { type Random, randomOf } from './random.ts'
import { lies, move, pauses } from './soak-parts.ts'
import { openTestChain } from './test-chain.ts'

/** How long a soak takes, and the number with which its disturbances are drawn. */
const MINUTES = gateSize('HAILSTONE_SOAK_MINUTES', { change: 1, night: 2 })
const SEED = gateSize('HAILSTONE_SOAK_SEED', 42)
const timeout = 2 * 60_000 * MINUTES + 600_000

const note = (text: string): void => {
  if (process.env.HAILSTONE_SOAK_LOG !== undefined)
    process.stderr.write(`${new Date().toISOString()} ${text}\n`)
}

type Disturbed = AsyncDisposable & { readonly url: string; readonly set: (perThousand: number) => void }

/** An API in front of an honest one that fails, cuts, lies, is late and hangs for so many of a thousand answers. */
async function openBadApi(honest: string, random: Random): Promise<Disturbed> {
  let rate = 0
  const answers: Record<string, (response: ServerResponse, text: string) => unknown> = {
    cut: (response, text) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) + 1 })
      response.write(text, () => response.destroy())
    },
    away: (response) => response.destroy(),
    hang: () => {},
    halfHang: (response, text) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) + 1 })
      response.write(text)
    },
    late: async (response, text) => {
      await setTimeout(3000)
      response.end(text)
    },
  }
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${new URL(honest).origin}${request.url}`)
    const text = await answer.text()
    const path = new URL(request.url ?? '', honest).pathname.replace('/api/v1', '')
    if (random.below(1000) >= rate) return void response.writeHead(answer.status).end(text)
    if (random.below(5) < 2) return void (await random.pick(Object.values(answers))(response, text))
    const lie = random.pick(lies)(path, text)
    response.writeHead(lie?.status ?? answer.status).end(lie?.text ?? text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    set: (perThousand) => {
      rate = perThousand
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** Runs the program, and keeps what it says. */
function run(words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let last = 0
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      last++
      const text = String(part).trim()
      lines.push(text)
      note(text)
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { child, lines, ended, said: () => last }
}

type Disturb = (random: Random, work: () => Promise<void>, share: number) => Promise<void>

async function soak(place: IndexPlace, honestPlace: () => IndexPlace, disturb: Disturb): Promise<void> {
  const random = randomOf(SEED)
  await using chain = await openTestChain('soak')
  for (let left = 8; left > 0; left--) await closeRandom(chain, random, pauses)
  await using api = await openBadApi(chain.apiUrl, randomOf(SEED + 1))
  await using honest = createClient({ apiUrl: chain.apiUrl })
  const isExclusive = place.folder !== undefined
  const where = isExclusive ? ['--data', String(place.folder)] : ['--database', String(place.database)]
  const words = ['--api', api.url, '--token', chain.token.id, ...where]
  const start = () => run([...words, '--poll', '300'])
  let indexer = start()
  const stop = async (): Promise<void> => {
    indexer.child.kill('SIGTERM')
    expect(await indexer.ended, indexer.lines.slice(-20).join('\n')).toBe(0)
  }
  const beginMs = performance.now()
  const totalMs = MINUTES * 60_000
  let rebuild: ReturnType<typeof run> | undefined
  let steps = 0
  try {
    for (;;) {
      const share = (performance.now() - beginMs) / totalMs
      if (share >= 1) break
      steps++
      // Now and then the API is away altogether.
      api.set(random.below(40) === 0 ? 1000 : 40)
      await disturb(
        random,
        async () => {
          await move(chain, random)
          await setTimeout(random.below(3000))
        },
        share,
      )
      expect(indexer.child.exitCode, indexer.lines.slice(-20).join('\n')).toBe(null)
      if (rebuild === undefined && share > 0.5) {
        note('rebuild')
        api.set(40)
        if (isExclusive) await stop()
        rebuild = run(['rebuild', ...words])
        const code = isExclusive ? await rebuild.ended : undefined
        if (isExclusive) {
          expect(code, rebuild.lines.slice(-20).join('\n')).toBe(0)
          indexer = start()
        }
      }
    }
    api.set(0)
    note(`${steps} steps, ${chain.blocks.length} blocks, ${indexer.lines.length} lines`)
    expect(await rebuild?.ended, rebuild?.lines.slice(-20).join('\n')).toBe(0)
    const isThere = async (): Promise<boolean> => {
      const looked = run(['check', ...words])
      return (await looked.ended) === 0
    }
    if (isExclusive) {
      await setTimeout(20_000)
      await stop()
    } else await setTimeout(20_000)
    expect(await isThere()).toBe(true)
    if (!isExclusive) await stop()
    await using index = await openIndex(honestPlace())
    await using other = await openIndex()
    await using anew = await openWriter({ index: other, client: honest, tokenIds: [chain.token.id] })
    await anew.step()
    expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
    note('equal')
  } finally {
    indexer.child.kill('SIGKILL')
    rebuild?.child.kill('SIGKILL')
  }
}

describe('C-11: hailstone-indexer beside an API that misbehaves', () => {
  it(`follows for ${MINUTES} min in a folder, and every figure is right`, { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-soak-'))
    try {
      await soak(
        { folder },
        () => ({ folder }),
        (_, work) => work(),
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** An address that leads to whichever server takes writes now. */
async function openWay(first: PostgresServer) {
  let target = first
  const open = new Set<Socket>()
  const server = createTcpServer((near) => {
    const far = connect(target.port, '127.0.0.1')
    open.add(near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(near)
        other.destroy()
      })
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    lead: (to: PostgresServer) => {
      target = to
      cut()
    },
    close: () => server.close(),
  }
}

describePostgres('C-11: hailstone-indexer beside an API and a PostgreSQL that misbehave', () => {
  it(`follows for ${MINUTES} min, a rebuild beside it, and every figure is right`, { timeout }, async () => {
    let primary = await startPostgres()
    const direct = await primary.createDatabase()
    let standby = await primary.startStandby()
    const way = await openWay(primary)
    const { pathname } = new URL(direct)
    const urlOf = (port: number): string => `postgres://hailstone@127.0.0.1:${port}${pathname}`
    const ask = (text: string) => queryDatabase(urlOf(primary.port), text).catch(() => [])
    let failovers = 0
    const kinds: Record<string, (work: () => Promise<void>) => Promise<void>> = {
      crash: async (work) => {
        await primary.crash()
        await setTimeout(500)
        await primary.start()
        await work()
      },
      freeze: async (work) => {
        await primary.freeze()
        await work()
        await setTimeout(8000)
        await primary.thaw()
      },
      cut: async (work) => {
        way.cut()
        await work()
        way.cut()
      },
      readOnly: async (work) => {
        await ask('alter system set default_transaction_read_only = on')
        await ask('select pg_reload_conf()')
        await work()
        await ask('alter system reset default_transaction_read_only')
        await ask('select pg_reload_conf()')
      },
    }
    for (const how of ['pg_cancel_backend', 'pg_terminate_backend'])
      kinds[how] = async (work) => {
        let isDone = false
        const disturbing = (async () => {
          while (!isDone) {
            await ask(`select ${how}(pid) from pg_stat_activity
              where application_name = 'hailstone-indexer' and state <> 'idle' and random() < 0.2`)
            await setTimeout(20)
          }
        })()
        await work().finally(() => {
          isDone = true
        })
        await disturbing
      }
    const disturb: Disturb = async (random, work, share) => {
      if (share > (failovers + 0.5) / 4 && failovers < 4) {
        failovers++
        note('failover')
        const old = primary
        await old.crash()
        await standby.promote()
        primary = standby
        way.lead(primary)
        await work()
        await old.stop()
        standby = await primary.startStandby()
        return
      }
      if (random.below(3) > 0) return await work()
      const [kind, one] = random.pick(Object.entries(kinds))
      note(kind)
      await one(work)
    }
    try {
      await soak({ database: urlOf(way.port) }, () => ({ database: urlOf(primary.port) }), disturb)
    } finally {
      way.close()
      await standby.stop()
      await primary.stop()
    }
  })
})
