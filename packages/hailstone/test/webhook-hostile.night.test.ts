import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postWebhook } from '@hailstone/runtime/webhook'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { until } from '../../mining-node/test/until.ts'
import { deliverWebhooks, EXPIRES_AFTER_MS } from '../src/webhook/deliver-webhooks.ts'
import { createWebhookEvent, type Outbox, openOutbox } from '../src/webhook/outbox.ts'
import type { WebhookTarget } from '../src/webhook/webhook-settings.ts'
import { type ReceiverMood, startReceiver } from './webhook-receiver.ts'

const bytes = Buffer.alloc(32, 7)
const secret = `whsec_${bytes.toString('base64')}`
const targetOf = (url: string, signedWith = bytes): WebhookTarget => ({
  url,
  secret: signedWith,
  secretFile: '',
  events: new Set(),
})
const eventOf = (number: number, atMs = Date.now()) =>
  createWebhookEvent({ type: 'rewarded', address: 'a', identity: [number], data: { number }, atMs })

async function folderFor(): Promise<{ readonly path: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'hailstone-hostile-'))
  const path = join(root, 'events')
  return { path, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
}

const backlogChild = fileURLToPath(new URL('webhook-backlog-child.mjs', import.meta.url))
const quiet = (): void => undefined
const asksOf = (asked: Readonly<Record<string, number>>): number =>
  Object.values(asked).reduce((sum, count) => sum + count, 0)

describe('a receiver', () => {
  it.each<[ReceiverMood, number]>([
    ['failing', 8],
    ['redirecting', 16],
    ['busy', 4],
    ['down', 0],
  ])('that is %s is not flooded with 300 events, and gets each once it is well', async (mood, most) => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await receiver.setMood(mood)
    const outbox = await openOutbox(folder.path)
    for (let number = 0; number < 300; number++) await outbox.put(eventOf(number))
    const target = () => targetOf(receiver.url)
    const first = deliverWebhooks({ outbox, target, onFault: quiet })
    await first.flush(2_500)
    expect(asksOf(receiver.asked())).toBeLessThanOrEqual(most)
    expect(first.counts()).toMatchObject({ delivered: 0, pending: 300 })
    expect(first.counts().failedAttempts).toBeLessThanOrEqual(16)
    await first.stop()

    await receiver.setMood('well')
    const second = deliverWebhooks({ outbox, target, onFault: quiet })
    await second.flush(60_000)
    await second.stop()
    expect(new Set(receiver.taken().map(({ id }) => id)).size).toBe(300)
    expect(receiver.taken().length).toBe(300)
  })

  it('that refuses every event is not flooded either', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const outbox = await openOutbox(folder.path)
    for (let number = 0; number < 300; number++) await outbox.put(eventOf(number))
    const target = () => targetOf(receiver.url, Buffer.alloc(32, 8))
    const delivery = deliverWebhooks({ outbox, target, onFault: quiet })
    await delivery.flush(2_500)
    expect(receiver.refused()).toBeGreaterThan(1)
    expect(receiver.refused()).toBeLessThanOrEqual(20)
    await delivery.stop()
  })

  it('that answers without an end is taken at its first line', async () => {
    await using receiver = await startReceiver(secret)
    await receiver.setMood('flooding')
    expect(await postWebhook(eventOf(1), targetOf(receiver.url))).toEqual({ isDelivered: true })
    await until(() => receiver.flooded() > 0, 'the connection is ended')
    expect(receiver.flooded()).toBeLessThan(32_000_000)
  })

  it('whose certificate nobody knows gets nothing, whatever the environment allows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const words =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 1'
    execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    let asked = 0
    const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_, response) => {
      asked++
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    try {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      const { port } = server.address() as AddressInfo
      const outcome = await postWebhook(eventOf(1), targetOf(`https://localhost:${port}/`))
      expect(outcome).toMatchObject({
        isDelivered: false,
        why: 'the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
      })
      expect(asked).toBe(0)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
      server.close()
      await rm(folder, { recursive: true })
    }
  })
})

describe('an event', () => {
  it('that was delivered never comes again, when a process that was killed notes it once more', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const run = async (): Promise<void> => {
      const outbox = await openOutbox(folder.path)
      const target = () => targetOf(receiver.url)
      const delivery = deliverWebhooks({ outbox, target, onFault: quiet })
      await outbox.put(eventOf(1))
      await delivery.flush(10_000)
      await delivery.stop()
    }
    await run()
    // Killed before it noted its place; and a crash cut off the line that followed.
    await appendFile(`${folder.path}.settled`, 'evt-0123')
    await run()
    await run()
    expect(receiver.taken().length).toBe(1)
    const { mode } = await stat(`${folder.path}.settled`)
    expect(mode & 0o777).toBe(0o600)
  })

  it('is tried once at least, however old a wrong clock makes it', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await (await openOutbox(folder.path)).put(eventOf(1, Date.now() - 30 * EXPIRES_AFTER_MS))
    const outbox = await openOutbox(folder.path)
    const delivery = deliverWebhooks({ outbox, target: () => targetOf(receiver.url), onFault: quiet })
    await delivery.flush(10_000)
    await delivery.stop()
    expect([receiver.taken().length, delivery.counts()]).toMatchObject([1, { delivered: 1, expired: 0 }])
  })

  it('of a clock that runs ahead is not given up when the clock is set right', async () => {
    await using folder = await folderFor()
    const outbox = await openOutbox(folder.path)
    const begunAt = Date.now()
    await outbox.put(eventOf(1, begunAt + 30 * EXPIRES_AFTER_MS))
    await outbox.put(eventOf(2))
    const ages = [...outbox.waiting()].map(({ ageMs }) => ageMs())
    for (const age of ages) expect(age).toBeGreaterThanOrEqual(0)
    for (const age of ages) expect(age).toBeLessThanOrEqual(Date.now() - begunAt)
  })

  it('that nobody delivers is counted, and named when no process can tell who should', async () => {
    await using folder = await folderFor()
    const outbox = await openOutbox(folder.path)
    await outbox.put(eventOf(1))
    // A lock of a process on another machine, on a file system without sockets.
    const lock = `${folder.path}.lock`
    const record = { platform: 'linux', host: 'web-2', processId: 17, start: '1', kind: 'none' }
    const realm = { boot: 'other', pidNamespace: 'pid:[1]', fileSystem: 0x6969, device: 1 }
    await mkdir(lock)
    await writeFile(join(lock, 'a-1.json'), JSON.stringify({ ...record, ...realm }))
    await writeFile(join(lock, 'a-1.held'), '')
    const faults: string[] = []
    const target = () => targetOf('http://127.0.0.1:9/')
    const delivery = deliverWebhooks({ outbox, target, onFault: (sentence) => faults.push(sentence) })
    await delivery.flush(500)
    expect(delivery.counts()).toMatchObject({ delivered: 0, failedAttempts: 0, pending: 1 })
    expect(faults.join()).toContain(lock)
    await delivery.stop()
  })
})

describe('a backlog', () => {
  const EVENTS = 2_000

  it(`of ${EVENTS} is delivered with few looks at the folder, and only ids are kept in memory`, async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const writer = await openOutbox(folder.path)
    for (let number = 0; number < EVENTS; number++) await writer.put(eventOf(number))
    const outbox = await openOutbox(folder.path)
    let looks = 0
    const counted: Outbox = {
      ...outbox,
      refresh: () => {
        looks++
        return outbox.refresh()
      },
    }
    const begunAt = performance.now()
    const delivery = deliverWebhooks({
      outbox: counted,
      target: () => targetOf(receiver.url),
      onFault: quiet,
    })
    await delivery.flush(300_000)
    await delivery.stop()
    expect(new Set(receiver.taken().map(({ id }) => id)).size).toBe(EVENTS)
    // One every five seconds, and a few at the start.
    expect(looks).toBeLessThanOrEqual(6 + (performance.now() - begunAt) / 5_000)
    expect(await readdir(folder.path)).toEqual([])
  })

  const [STREAM, HEAP_MB] = [gateSize('HAILSTONE_WEBHOOK_BACKLOG', 2_000), 32]
  const MOST = Math.min(20_000, STREAM / 4)

  it(`G-25 of ${STREAM} for a receiver that is away keeps ${MOST} at most, in ${HEAP_MB} MB of heap, and delivers each once`, async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await receiver.setMood('failing')
    const words = [`--max-old-space-size=${HEAP_MB}`, backlogChild, folder.path, receiver.url]
    const more = [bytes.toString('base64'), String(STREAM), String(MOST)]
    const child = spawn(process.execPath, [...words, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += String(chunk)))
    const ended = once(child, 'close')
    try {
      await until(() => printed.includes('full') || child.exitCode !== null, 'the outbox is full', 600_000)
      await receiver.setMood('well')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
    const seen = JSON.parse(printed.split('\n')[1] ?? '') as { readonly maxFiles: number }
    if (process.env.HAILSTONE_WEBHOOK_BACKLOG !== undefined) console.info(seen)
    expect(seen).toMatchObject({ left: 0 })
    // One more while it is written: its draft.
    expect([seen.maxFiles >= MOST - 1, seen.maxFiles <= MOST + 1]).toEqual([true, true])
    const ids = receiver.taken().map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([STREAM, STREAM])
  }, 3_600_000)

  it('is closed when it is full, and keeps what it has', async () => {
    await using folder = await folderFor()
    await mkdir(folder.path)
    const event = eventOf(1)
    for (let number = 0; number < 20_000; number++) {
      const id = `evt-${number.toString(16).padStart(32, '0')}`
      await writeFile(join(folder.path, `${id}.json`), JSON.stringify({ ...event, id }))
    }
    const outbox = await openOutbox(folder.path)
    await expect(outbox.put(event)).rejects.toThrow('20000 wait for a receiver, which are too many')
    expect(outbox.size()).toBe(20_000)
    await outbox.settle(`evt-${'0'.repeat(32)}`)
    await outbox.put(event)
    await sleep(0)
    expect(await outbox.has(event.id)).toBe(true)
  })
})
