import { apiError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/manual-clock.ts'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'
import type { RetryPolicy } from './retry-policy.ts'

const apiUrl = 'http://127.0.0.1:1/api/v1'
const lost = (): never => {
  throw apiError('REQUEST_FAILED', { path: '/height', reason: 'the connection was reset' })
}
const late = (): never => {
  throw apiError('REQUEST_TIMEOUT', { path: '/height', timeoutMs: 1 })
}

function clientOf(
  script: () => string | { status: number; retryAfter?: string },
  retry?: Partial<RetryPolicy>,
) {
  const transport = scriptedTransport(script)
  const clock = manualClock()
  const client = createClient({ apiUrl, transport, clock, retry, randomness: () => 0.5 })
  return { client, transport, clock }
}

describe('a GET', () => {
  it('is repeated after failures until it is answered', async () => {
    const answers = [lost, () => ({ status: 503 }), () => '{"height":7}']
    const { client, transport, clock } = clientOf(() => (answers.shift() ?? lost)())
    expect(await client.getHeight()).toBe(7)
    expect(transport.requests).toHaveLength(3)
    expect(clock.slept).toStrictEqual([100, 200])
  })

  it('gives the last failure after all attempts', async () => {
    const { client, transport } = clientOf(() => ({ status: 503 }))
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'HTTP_STATUS', facts: { status: 503 } })
    expect(transport.requests).toHaveLength(4)
  })

  it('is not repeated for a status that is final', async () => {
    const { client, transport } = clientOf(() => ({ status: 501 }))
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'HTTP_STATUS' })
    expect(transport.requests).toHaveLength(1)
  })

  it('repeats a timed-out attempt only while the deadline of the call lasts', async () => {
    const { client, transport, clock } = clientOf(
      () => {
        clock.pass(4_000)
        return late()
      },
      { attemptTimeoutMs: 4_000 },
    )
    await expect(client.getHeight()).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      facts: { timeoutMs: 10_000 },
    })
    expect(transport.requests.map(({ timeoutMs }) => timeoutMs)).toStrictEqual([4_000, 4_000, 1_700])
  })

  it.each([
    ['REQUEST_FAILED', 5_000, 4_900],
    ['REQUEST_TIMEOUT', 0, 9_900],
  ])('rejects with %s after a loss at %i ms and a silence of %i ms', async (code, lossMs, silenceMs) => {
    const attempts = [
      { takesMs: lossMs, fail: lost },
      { takesMs: silenceMs, fail: late },
    ]
    const { client, clock } = clientOf(() => {
      const { takesMs = 0, fail = lost } = attempts.shift() ?? {}
      clock.pass(takesMs)
      return fail()
    })
    await expect(client.getHeight()).rejects.toMatchObject({ code })
  })

  it('does not wait for a server that asks for more time than the deadline has', async () => {
    const { client, clock } = clientOf(() => ({ status: 429, retryAfter: '25' }))
    await expect(client.getHeight()).rejects.toMatchObject({ code: 'HTTP_STATUS', facts: { status: 429 } })
    expect(clock.slept).toStrictEqual([])
  })

  it('adds at most a tenth to the load of a server that fails for long', async () => {
    const { client, transport } = clientOf(lost)
    const calls = 400
    for (let call = 0; call < calls; call++) await client.getHeight().catch(() => undefined)
    expect(transport.requests.length).toBeLessThanOrEqual(calls * 1.1 + 10)
    expect(transport.requests.length).toBeGreaterThan(calls)
  })

  it('stops waiting for its next attempt when it is cancelled', async () => {
    const controller = new AbortController()
    const { client } = clientOf(() => {
      controller.abort('enough')
      return lost()
    })
    await expect(client.getHeight({ signal: controller.signal })).rejects.toBe('enough')
  })
})
