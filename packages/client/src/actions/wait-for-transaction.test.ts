import { apiError, parseHash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/manual-clock.ts'
import { exchangesOf } from '../../test/support/recordings.ts'
import { type Scripted, scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'

const bodyNamed = (name: string): string =>
  exchangesOf('vectors/api_responses.json').find((exchange) => exchange.name === name)?.body ?? ''

const confirmed = bodyNamed('tx confirmed native')
const hash = parseHash(JSON.parse(confirmed).hash)
const pending = (): string => {
  const [entry] = JSON.parse(bodyNamed('pending_tx_hash found'))
  return JSON.stringify([{ ...entry, hash }])
}
const unreachable = (): never => {
  throw apiError('REQUEST_FAILED', { path: '/tx', reason: 'the connection was refused' })
}

function waitClient(tx: () => Scripted, entry: () => Scripted = () => '[]') {
  const clock = manualClock()
  const transport = scriptedTransport(({ path }) => (path === '/tx' ? tx() : entry()))
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport, clock, retry: { maxAttempts: 1 } })
  return { client, clock, transport }
}

describe('waitForTransaction', () => {
  it('polls until there is a final status', async () => {
    const answers = ['', '', confirmed]
    const { client, clock } = waitClient(() => answers.shift() ?? unreachable())
    expect(await client.waitForTransaction({ hash, pollMs: 500 })).toMatchObject({
      hash,
      status: 'confirmed',
    })
    expect(clock.slept).toStrictEqual([500, 500])
  })

  it('gives rejected and duplicate transactions back, they are no errors of ours', async () => {
    for (const [code, status] of [
      [2, 'rejected'],
      [1, 'duplicate'],
    ]) {
      const { client } = waitClient(() => confirmed.replace('"status":3', `"status":${code}`))
      expect(await client.waitForTransaction({ hash })).toMatchObject({ status })
    }
  })

  it('outlasts a network that is away for a while', async () => {
    let asked = 0
    const { client } = waitClient(() => (asked++ < 20 ? unreachable() : confirmed))
    expect(await client.waitForTransaction({ hash })).toMatchObject({ status: 'confirmed' })
  })

  it.each([403, 404, 408])('outlasts a proxy that answers %i for a while', async (status) => {
    let asked = 0
    const { client } = waitClient(() => (asked++ < 20 ? { status, text: '<html>' } : confirmed))
    expect(await client.waitForTransaction({ hash })).toMatchObject({ status: 'confirmed' })
  })

  it('does not outlast an answer that breaks the protocol', async () => {
    const { client } = waitClient(() => '[]')
    await expect(client.waitForTransaction({ hash })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it.each([
    ['the pool still holds it', pending, true],
    ['the pool does not hold it', () => '[]', false],
    ['the pool cannot be asked', unreachable, null],
  ])('tells at the end of its time whether %s', async (_, entry, isPending) => {
    const { client } = waitClient(() => '', entry)
    await expect(client.waitForTransaction({ hash, timeoutMs: 5_000 })).rejects.toMatchObject({
      code: 'TRANSACTION_TIMEOUT',
      facts: { hash, waitedMs: 5_000, isPending },
    })
  })

  it('asks a last time at the very end of its time', async () => {
    let asked = 0
    const { client } = waitClient(() => (asked++ === 3 ? confirmed : ''))
    const waiting = client.waitForTransaction({ hash, timeoutMs: 5_000, pollMs: 2_000 })
    expect(await waiting).toMatchObject({ status: 'confirmed' })
  })

  it('lets no single question outlast its time', async () => {
    const { client, transport } = waitClient(() => '')
    await client.waitForTransaction({ hash, timeoutMs: 5_000, pollMs: 2_000 }).catch(() => undefined)
    expect(transport.requests.map(({ timeoutMs }) => timeoutMs)).toStrictEqual([
      5_000, 3_000, 1_000, 250, 2_000,
    ])
  })

  it('rejects with the reason of the caller who cancels', async () => {
    const controller = new AbortController()
    const { client } = waitClient(() => {
      controller.abort('enough')
      return ''
    })
    const waiting = client.waitForTransaction({ hash, signal: controller.signal })
    await expect(waiting).rejects.toBe('enough')
  })
})
