import { expect, test } from 'vitest'
import type { ProducerState } from '../src/http/api-parts.ts'
import { createApi } from '../src/http/index.ts'
import { startLocalNetwork } from '../src/serve.ts'
import { quickNetwork } from './quick-network.ts'

const well: ProducerState = { openForMs: 12_000, closingForMs: null, failure: null }

/** The API over a store, with a producer that says what the test wants. */
async function apiOf(state: ProducerState) {
  const network = await quickNetwork()
  const { store, mempool } = network
  const api = await createApi({
    store,
    mempool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 1000,
    producerState: () => state,
  })
  const health = async () => {
    const { statusCode, body } = await api.inject('/health')
    return { statusCode, ...JSON.parse(body) }
  }
  return { network, api, health }
}

test('a node that works says so at /health and among its endpoints', async () => {
  await using network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  for (const url of [`${new URL(network.apiUrl).origin}/health`, `${network.apiUrl}/health`]) {
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'ok',
      height: 0,
      last_block_age_ms: expect.any(Number),
      miners_online: 0,
      pending: 1,
      store: true,
      reason: null,
    })
  }
})

test('the age of the last block is that of the producer', async () => {
  const { network, api, health } = await apiOf(well)
  expect(await health()).toMatchObject({ statusCode: 200, last_block_age_ms: 12_000 })
  await api.close()
  await network[Symbol.asyncDispose]()
})

test('/metrics says the same, also while the node is stuck', async () => {
  const { network, api } = await apiOf(well)
  const failing = await apiOf({ ...well, failure: 'the disk is full' })
  const { headers, body } = await api.inject('/metrics')
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  for (const line of ['ok 1', 'store_ok 1', 'height 0', 'last_block_age_seconds 12', 'miners_online 0'])
    expect(body).toContain(`\nhailstone_network_${line}\n`)
  for (const line of body.trim().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) )?hailstone_network_[a-z_]+ /)
  const stuck = await failing.api.inject('/metrics')
  expect([stuck.statusCode, stuck.body.includes('\nhailstone_network_ok 0\n')]).toStrictEqual([200, true])
  for (const one of [{ network, api }, failing]) {
    await one.api.close()
    await one.network[Symbol.asyncDispose]()
  }
})

test('a producer that fails, or hangs, makes the node stuck: 503 with the reason', async () => {
  const failing = await apiOf({ ...well, failure: 'the disk is full' })
  expect(await failing.health()).toMatchObject({
    statusCode: 503,
    status: 'stuck',
    store: true,
    reason: expect.stringContaining('the disk is full'),
  })
  const hanging = await apiOf({ ...well, closingForMs: 11_000 })
  expect(await hanging.health()).toMatchObject({ statusCode: 503, status: 'stuck' })
  for (const { api, network } of [failing, hanging]) {
    await api.close()
    await network[Symbol.asyncDispose]()
  }
})

test('a store that does not answer makes the node stuck too', async () => {
  const { network, api, health } = await apiOf(well)
  await network[Symbol.asyncDispose]()
  expect(await health()).toMatchObject({ statusCode: 503, status: 'stuck', height: null, store: false })
  await api.close()
})
