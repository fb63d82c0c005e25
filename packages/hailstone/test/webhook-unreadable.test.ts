import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../mining-node/test/until.ts'
import { deliverWebhooks } from '../src/webhook/deliver-webhooks.ts'
import { createWebhookEvent, openOutbox } from '../src/webhook/outbox.ts'

it('an event that cannot be read is a fault of the folder, and is not read again at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-webhooks-'))
  const outbox = await openOutbox(folder)
  const data = { type: 'rewarded', address: 'a', identity: [1], data: {}, atMs: Date.now() } as const
  await outbox.put(createWebhookEvent(data))
  let reads = 0
  const read = async (): Promise<never> => {
    reads++
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  }
  const delivery = deliverWebhooks({
    outbox: { ...outbox, read },
    target: () => ({
      url: 'http://127.0.0.1:1/',
      secret: Buffer.alloc(32),
      secretFile: '',
      events: new Set(),
    }),
    onFault: () => undefined,
  })
  try {
    await until(() => reads > 0, 'it was read')
    await delivery.flush(50)
    expect(reads).toBe(1)
    expect(delivery.fault()).toMatchObject({ why: 'the data folder cannot be read or written' })
    expect(delivery.counts()).toMatchObject({ pending: 1, failedAttempts: 0 })
  } finally {
    await delivery.stop()
    await rm(folder, { recursive: true, force: true })
    await rm(`${folder}.settled`, { force: true })
  }
})
