import { apiError, isNodeError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/manual-clock.ts'
import { type Scripted, scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'
import { pinnedCore } from '../pinned-core.ts'
import { createFailoverTransport } from './failover-transport.ts'
import type { Transport, TransportRequest } from './transport.ts'

const refused = (): never => {
  throw apiError('REQUEST_FAILED', { path: '/height', reason: 'the connection was refused' })
}
const height: TransportRequest = { method: 'GET', path: '/height', timeoutMs: 10_000 }

type Script = (request: TransportRequest) => Scripted

/** Two nodes over scripts that a test may change; the first is preferred by chance. */
function twoNodes(scripts: { first: Script; second: Script }, random = 0) {
  const clock = manualClock()
  const first = scriptedTransport((request) => scripts.first(request))
  const second = scriptedTransport((request) => scripts.second(request))
  const transport = createFailoverTransport({
    nodes: [
      { url: 'first', transport: first },
      { url: 'second', transport: second },
    ],
    clock,
    randomness: () => random,
  })
  return { clock, first, second, transport }
}

describe('several API nodes', () => {
  it('are one for the one who asks: questions stay with a node that answers', async () => {
    const { first, second, transport } = twoNodes({ first: () => '{}', second: () => '{}' })
    for (let count = 0; count < 20; count++) expect((await transport.request(height)).source).toBe('first')
    expect([first.requests.length, second.requests.length]).toEqual([20, 0])
  })

  it('are begun with in no particular order, so that many clients spread', async () => {
    const { transport } = twoNodes({ first: () => '{}', second: () => '{}' }, 0.9)
    expect((await transport.request(height)).source).toBe('second')
  })

  it('a GET goes on to the next node in the same call, and the next call begins there', async () => {
    const { first, second, transport } = twoNodes({ first: refused, second: () => '{"height":3}' })
    expect(await transport.request(height)).toMatchObject({ text: '{"height":3}', source: 'second' })
    await transport.request(height)
    expect([first.requests.length, second.requests.length]).toEqual([1, 2])
  })

  it.each([500, 502, 503, 429])('a GET that was answered %i goes on to the next node', async (status) => {
    const { transport } = twoNodes({ first: () => ({ status }), second: () => '{}' })
    expect(await transport.request(height)).toMatchObject({ status: 200, source: 'second' })
  })

  it('a 404 is an answer: no other node is asked', async () => {
    const { second, transport } = twoNodes({ first: () => ({ status: 404 }), second: () => '{}' })
    expect(await transport.request(height)).toMatchObject({ status: 404, source: 'first' })
    expect(second.requests).toEqual([])
  })

  it('a node that hangs leaves time for the others: the deadlines compose', async () => {
    const { clock, transport } = twoNodes({
      first: ({ timeoutMs }) => {
        clock.pass(timeoutMs)
        throw apiError('REQUEST_TIMEOUT', { path: '/height', timeoutMs })
      },
      second: ({ timeoutMs }) => {
        expect(timeoutMs).toBe(5_000)
        return '{}'
      },
    })
    expect((await transport.request(height)).source).toBe('second')
    expect(clock.monotonicMs()).toBe(5_000)
  })

  it('a POST goes to one node and is never repeated', async () => {
    const { first, second, transport } = twoNodes({ first: refused, second: () => '{}' })
    const post: TransportRequest = { method: 'POST', path: '/tx', body: '[]', timeoutMs: 10_000 }
    await expect(transport.request(post)).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect([first.requests.length, second.requests.length]).toEqual([1, 0])
  })

  it('N6: a node that asks to be left alone is, for a clamped time, and nobody waits for it', async () => {
    let isBusy = true
    const { clock, first, transport } = twoNodes({
      first: () => (isBusy ? { status: 429, retryAfter: '999999' } : '{}'),
      second: () => '{}',
    })
    expect(await transport.request(height)).toMatchObject({ status: 200 })
    expect(clock.slept).toEqual([])
    isBusy = false
    await transport.request(height)
    expect(first.requests).toHaveLength(1)
  })

  it('N15: when all fail one is asked once for each call, and the one that recovers is found', async () => {
    const scripts: { first: Script; second: Script } = { first: refused, second: refused }
    const { clock, first, second, transport } = twoNodes(scripts)
    for (let second = 0; second < 60; second++) {
      await transport.request(height).catch((error: unknown) => expect(isNodeError(error)).toBe(true))
      clock.pass(1_000)
    }
    expect(first.requests.length + second.requests.length).toBeLessThanOrEqual(61)
    expect(Math.min(first.requests.length, second.requests.length)).toBeGreaterThan(20)
    scripts.second = () => '{}'
    const found: boolean[] = []
    for (let count = 0; count < 5; count++) {
      found.push(
        await transport.request(height).then(
          () => true,
          () => false,
        ),
      )
      clock.pass(1_000)
    }
    expect(found.slice(2)).toEqual([true, true, true])
  })

  it('what the caller cancels is held against nobody', async () => {
    const reason = new Error('enough')
    const { second, transport } = twoNodes({
      first: ({ signal }) => {
        signal?.throwIfAborted()
        return '{}'
      },
      second: () => '{}',
    })
    const asked = transport.request({ ...height, signal: AbortSignal.abort(reason) })
    await expect(asked).rejects.toBe(reason)
    expect((await transport.request(height)).source).toBe('first')
    expect(second.requests).toEqual([])
  })
})

describe('a client of several nodes', () => {
  const nodesOf = (scripts: Readonly<Record<string, Script>>): Transport =>
    createFailoverTransport({
      nodes: Object.entries(scripts).map(([url, script]) => ({
        url,
        transport: scriptedTransport(script),
      })) as never,
      clock: manualClock(),
      randomness: () => 0,
    })
  const clientOf = (scripts: Readonly<Record<string, Script>>) =>
    createClient({ apiUrl: 'http://127.0.0.1:1/', transport: nodesOf(scripts), clock: manualClock() })

  it('H1: leaves a node whose answers cannot be read', async () => {
    const client = clientOf({ liar: () => '<html>', honest: () => '{"height":7}' })
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(await client.getHeight()).toBe(7)
    expect(await client.getHeight()).toBe(7)
  })

  it('F3: reads from one node what belongs together, and names it', async () => {
    const client = clientOf({ first: () => '{"height":7}', second: () => '{"height":9}' })
    const core = pinnedCore(client)
    expect(core.source).toBe('first')
    client.transport.distrust?.('first')
    expect(pinnedCore(client).source).toBe('second')
    expect((await core.transport.request(height)).source).toBe('first')
  })
})

it('is made of apiUrl and apiUrls, each once', async () => {
  const [one, two] = ['http://127.0.0.1:1/api', 'http://127.0.0.1:2/api']
  const client = createClient({ apiUrl: one, apiUrls: [two, `${one}/`, two] })
  expect(client.sharingKey).toBe(`${one} ${two}`)
  expect(createClient({ apiUrls: [two] }).apiUrl).toBe(two)
  await client.close()
})

it('G-10: a server that fails for a minute gets at most a tenth more requests once the bucket is empty', async () => {
  const clock = manualClock()
  const transport = scriptedTransport(refused)
  const client = createClient({ apiUrl: 'http://127.0.0.1:1/', transport, clock })
  let asked = 0
  const ask = async () => {
    asked++
    await client.getHeight().catch((error: unknown) => expect(isNodeError(error)).toBe(true))
    clock.pass(100)
  }
  while (client.memory.retries >= 1) await ask()
  const before = { asked, sent: transport.requests.length }
  const endMs = clock.monotonicMs() + 60_000
  while (clock.monotonicMs() < endMs) await ask()
  const extra = transport.requests.length - before.sent - (asked - before.asked)
  expect(asked - before.asked).toBeGreaterThan(200)
  // One more, for what was saved up before the first of them.
  expect(extra).toBeLessThanOrEqual((asked - before.asked) / 10 + 1)
})
