import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postWebhook, webhookWait } from '@hailstone/runtime/webhook'
import { describe, expect, it, vi } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { until } from '../../mining-node/test/until.ts'
import { deliverWebhooks, EXPIRES_AFTER_MS } from '../src/webhook/deliver-webhooks.ts'
import { createWebhookEvent, openOutbox } from '../src/webhook/outbox.ts'
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
  const path = await mkdtemp(join(tmpdir(), 'hailstone-webhooks-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Ids of events that another process would find. */
async function waitingIn(path: string): Promise<readonly string[]> {
  const outbox = await openOutbox(path)
  await outbox.refresh()
  return [...outbox.waiting()].map(({ id }) => id)
}

const child = fileURLToPath(new URL('webhook-child.mjs', import.meta.url))

describe('webhooks', () => {
  const events = gateSize('HAILSTONE_WEBHOOKS', 100)

  it(`reach a receiver that is down, fails, hangs and redirects, through kills: ${events} of ${events}, each id once`, async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const start = (): ChildProcess =>
      spawn(process.execPath, [child, folder.path, receiver.url, bytes.toString('base64'), String(events)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    let kills = 0
    let printed = ''
    let running = start()
    const listen = (): void => void running.stdout?.on('data', (chunk) => (printed += String(chunk)))
    listen()
    try {
      for (const mood of [
        'down',
        'failing',
        'well',
        'hanging',
        'redirecting',
        'well',
        'dropping',
      ] as ReceiverMood[]) {
        await receiver.setMood(mood)
        await sleep(700)
        // It may have ended by itself, with nothing left to do.
        const ended = running.exitCode !== null || new Promise((resolve) => running.once('exit', resolve))
        running.kill('SIGKILL')
        await ended
        kills++
        running = start()
        listen()
      }
      await receiver.setMood('well')
      await until(() => printed.includes('all delivered'), 'everything is delivered', 60_000)
    } finally {
      running.kill('SIGKILL')
    }
    const ids = receiver.taken().map(({ id }) => id)
    const numbers = receiver.taken().map(({ body }) => (body.data as { number: number }).number)
    expect(new Set(ids).size).toBe(events)
    expect([...new Set(numbers)].sort((one, other) => one - other)).toEqual([...Array(events).keys()])
    // A kill between the answer of the receiver and our note of it delivers again, under the same id.
    expect(ids.length - events).toBeLessThanOrEqual(4 * kills)
    expect(receiver.refused()).toBe(0)
    // Units stay whole.
    expect(receiver.taken()[0]?.body).toMatchObject({
      type: 'rewarded',
      data: { amount: '18446744073709551616' },
    })
    expect(printed).not.toContain('only-the-receiver-knows')
  })

  it('come once from a process that is not killed, whatever the receiver did before', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const outbox = await openOutbox(folder.path)
    await receiver.setMood('failing')
    const delivery = deliverWebhooks({
      outbox,
      target: () => targetOf(receiver.url),
      onFault: () => undefined,
    })
    for (let number = 0; number < 20; number++) await outbox.put(eventOf(number))
    await delivery.flush(500)
    expect(delivery.counts()).toMatchObject({ delivered: 0, pending: 20 })
    // The fault has the time of its first failure for as long as it lasts.
    const fault = delivery.fault()
    expect(fault).toMatchObject({ why: 'status 500', message: expect.stringContaining('failed: status 500') })
    const { failedAttempts } = delivery.counts()
    await until(() => delivery.counts().failedAttempts > failedAttempts, 'it is tried again')
    expect(delivery.fault()).toEqual(fault)
    await receiver.setMood('well')
    await delivery.flush(20_000)
    await delivery.stop()
    expect(receiver.taken().length).toBe(20)
    expect(delivery.counts()).toMatchObject({ delivered: 20, pending: 0, oldestAgeMs: null })
    expect(delivery.fault()).toBeNull()
    expect([outbox.size(), await waitingIn(folder.path)]).toEqual([0, []])
  })

  it('that one receiver refuses hold up no other, and are given up after a day', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const outbox = await openOutbox(folder.path)
    const faults: string[] = []
    // Whichever of them is refused first: what is lost is told beside what is tried again.
    const tries = { failures: 9, triedMs: EXPIRES_AFTER_MS, lastAtMs: Date.now() }
    for (let number = 1; number < 9; number++)
      await outbox.put({ ...eventOf(number), ...(number % 4 === 0 ? { tries } : {}) })
    let signedWith = Buffer.alloc(32, 8)
    const target = () => targetOf(receiver.url, signedWith)
    const delivery = deliverWebhooks({ outbox, target, onFault: (sentence) => faults.push(sentence) })
    await until(() => delivery.counts().expired === 2, 'both are given up')
    expect([delivery.counts(), receiver.refused() > 0]).toMatchObject([{ delivered: 0, pending: 6 }, true])
    expect(
      [/ failed: /, / given up: /].map((words) => faults.filter((text) => words.test(text)).length),
    ).toEqual([1, 1])
    signedWith = bytes
    await delivery.flush(10_000)
    expect(receiver.taken().length).toBe(6)
    await delivery.stop()
  })

  it('that waited for longer than a day while no process ran are tried as new ones are', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await receiver.setMood('failing')
    const offMs = EXPIRES_AFTER_MS + 3_600_000
    const before = await openOutbox(folder.path)
    for (let number = 0; number < 3; number++) await before.put(eventOf(number, Date.now() - offMs))
    const delivery = deliverWebhooks({
      outbox: await openOutbox(folder.path),
      target: () => targetOf(receiver.url),
      onFault: () => undefined,
    })
    await until(() => delivery.counts().failedAttempts >= 5, 'each was tried')
    await receiver.setMood('well')
    await delivery.flush(60_000)
    await delivery.stop()
    expect([receiver.taken().length, delivery.counts()]).toMatchObject([3, { delivered: 3, expired: 0 }])
  })

  it('keep what was tried of them for the next process', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await receiver.setMood('failing')
    const [event, target] = [eventOf(1), () => targetOf(receiver.url)]
    await (await openOutbox(folder.path)).put(event)
    const failuresOf = async () =>
      (await (await openOutbox(folder.path)).read(event.id))?.tries?.failures ?? 0
    for (let run = 1; run < 4; run++) {
      const outbox = await openOutbox(folder.path)
      const delivery = deliverWebhooks({ outbox, target, onFault: () => undefined })
      await until(async () => (await failuresOf()) >= run, 'an attempt has failed and is noted')
      await delivery.stop()
    }
    expect(await failuresOf()).toBeGreaterThanOrEqual(3)
  })

  it('that were given up are no reason to wait any more', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    await receiver.setMood('failing')
    const outbox = await openOutbox(folder.path)
    await outbox.put(eventOf(1))
    const now = performance.now.bind(performance)
    let laterMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
    const target = () => targetOf(receiver.url)
    const delivery = deliverWebhooks({ outbox, target, onFault: () => undefined })
    try {
      await until(() => delivery.fault()?.why === 'status 500', 'the first attempt has failed')
      laterMs = EXPIRES_AFTER_MS
      delivery.wake()
      await until(() => delivery.counts().expired === 1, 'it is given up')
      await until(() => delivery.fault() === null, 'nothing waits')
    } finally {
      await delivery.stop()
      clock.mockRestore()
    }
  })

  it('that cannot be removed are a fault until one can', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const outbox = await openOutbox(folder.path)
    await outbox.put(eventOf(1))
    let failures = 0
    // A folder that takes nothing for a moment.
    const failing: typeof outbox = {
      ...outbox,
      settle: (id) => (failures++ === 0 ? Promise.reject(new Error('EROFS')) : outbox.settle(id)),
    }
    const reported: unknown[] = []
    const delivery = deliverWebhooks({
      outbox: failing,
      target: () => targetOf(receiver.url),
      onFault: (sentence) => reported.push([sentence, delivery.fault()?.message]),
    })
    await until(() => delivery.counts().pending === 0, 'it is removed')
    await until(() => delivery.fault() === null, 'the fault is over')
    const sentence = 'A delivered webhook cannot be removed from the data folder; it may come again.'
    expect(reported).toEqual([[sentence, sentence]])
    await delivery.stop()
  })

  it('of a folder are delivered by one process at a time', async () => {
    await using folder = await folderFor()
    await using receiver = await startReceiver(secret)
    const [one, other] = [await openOutbox(folder.path), await openOutbox(folder.path)]
    const target = () => targetOf(receiver.url)
    const first = deliverWebhooks({ outbox: one, target, onFault: () => undefined })
    await first.flush(0)
    const second = deliverWebhooks({ outbox: other, target, onFault: () => undefined })
    for (let number = 0; number < 10; number++) await other.put(eventOf(number))
    await second.flush(100)
    await first.flush(10_000)
    expect([first.counts().delivered, second.counts().delivered, receiver.taken().length]).toEqual([
      10, 0, 10,
    ])
    await first.stop()
    await second.stop()
  })

  it('whose file was damaged are left alone', async () => {
    await using folder = await folderFor()
    const outbox = await openOutbox(folder.path)
    await outbox.put(eventOf(1))
    const name = `evt-${'0'.repeat(32)}.json`
    for (const text of [
      '',
      '{',
      '[]',
      '{"id":"evt-1"}',
      await readFile(join(folder.path, `${eventOf(1).id}.json`)),
    ])
      await writeFile(join(folder.path, name), text)
    expect(await waitingIn(folder.path)).toEqual([eventOf(1).id])
  })
})

describe('one attempt', () => {
  it.each<[ReceiverMood, string]>([
    ['failing', 'status 500'],
    ['redirecting', 'a redirect (307)'],
    ['dropping', 'the connection failed'],
    ['hanging', 'no answer within'],
    ['endless', 'no answer within'],
    ['down', 'the connection failed (ECONNREFUSED)'],
  ])('at a receiver that is %s fails in time, and says so: %s', async (mood, why) => {
    await using receiver = await startReceiver(secret)
    await receiver.setMood(mood)
    const outcome = await postWebhook(eventOf(1), targetOf(receiver.url), { timeoutMs: 300 })
    expect(outcome).toMatchObject({ isDelivered: false, why: expect.stringContaining(why) })
    // A redirect is not followed.
    expect(Object.values(receiver.asked()).reduce((sum, count) => sum + count, 0)).toBe(
      mood === 'down' ? 0 : 1,
    )
  })

  it('is ended at once when the process ends', async () => {
    await using receiver = await startReceiver(secret)
    await receiver.setMood('hanging')
    const outcome = postWebhook(eventOf(1), targetOf(receiver.url), { signal: AbortSignal.timeout(50) })
    expect(await outcome).toMatchObject({ isDelivered: false, why: 'it was ended' })
  })

  it('is repeated after 1 s, and later each time, up to 15 minutes', () => {
    expect([1, 2, 3, 10, 11, 40].map((attempts) => webhookWait(attempts, 0.5))).toEqual(
      [1, 2, 4, 512, 900, 900].map((seconds) => seconds * 1_000),
    )
    expect([webhookWait(1, 0), webhookWait(1, 1)].map(Math.round)).toEqual([800, 1_200])
  })
})
