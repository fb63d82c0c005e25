import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendWebhook } from '../templates/bot/src/webhook.ts'

const secret = 'whsec_bG9jYWwgbmV0d29yayBvbmx5'

/** Sends an event to a receiver. */
async function send(answer: RequestListener, signal?: AbortSignal) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked = once(server, 'request')
  const url = `${origin}/a-secret-path`
  const sent = sendWebhook({ url, secret, id: '1', event: { type: 'rewarded' }, signal })
  return { origin, asked, said: sent.then(() => 'taken', String) }
}

const never: RequestListener = () => undefined

it.each([undefined, new AbortController().signal])(
  'a receiver that never answers has a limit: %j',
  async (signal) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { origin, asked, said } = await send(never, signal)
    await asked
    vi.advanceTimersByTime(10_000)
    expect(await said).toBe(`Error: ${origin} did not answer within 10 s`)
  },
)

it('the signal ends a request, also one that has not begun', async () => {
  const ending = new AbortController()
  const { asked, said } = await send(never, ending.signal)
  await asked
  ending.abort(new Error('stopped'))
  expect(await said).toBe('Error: stopped')
  expect(await (await send(never, ending.signal)).said).toBe('Error: stopped')
})

it('a receiver that refuses is named with its status, without its path', async () => {
  const { origin, said } = await send((_, response) => response.writeHead(401).end('no'))
  expect(await said).toBe(`Error: ${origin} answers 401`)
})

it('a receiver that takes an event and goes on writing for ever holds nothing up', async () => {
  const { said } = await send((_, response) => void response.writeHead(200).write('…'))
  expect(await said).toBe('taken')
})
