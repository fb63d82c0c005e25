import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { toAmount } from '@hailstone/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient, createWallet, type Disagreement } from '../src/node.ts'
import { serve, type TestServer } from './support/serve.ts'

const { address } = createWallet()

let network: LocalNetwork
let liar: TestServer

/** A node that has the chain of another one, and a balance of its own. */
const lyingAbout = (network: LocalNetwork): Promise<TestServer> =>
  serve(async ({ url = '' }, response) => {
    const answer = await fetch(new URL(url, network.apiUrl))
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(url.includes('/balance?') ? text.replace(/"amount":"?\d+"?/, '"amount":"9"') : text)
  })

beforeEach(async () => {
  network = await startLocalNetwork({ seed: 'quorum', blockTimeMs: 3_600_000, keepAlive: true })
  await network.control.fund(address, toAmount(5n * 10n ** 10n))
  liar = await lyingAbout(network)
})
afterEach(async () => {
  await liar[Symbol.asyncDispose]()
  await network.stop()
})

it('H3: two nodes that differ at one height give no balance, and both are named with what they say', async () => {
  await using client = createClient({ apiUrls: [network.apiUrl, liar.apiUrl], quorum: 2 })
  const height = await client.getHeight()
  await expect(client.getBalance({ address })).rejects.toMatchObject({
    code: 'NODES_DISAGREE',
    facts: {
      quorum: 2,
      answers: expect.arrayContaining([
        { source: network.apiUrl, height, value: expect.stringContaining('"amount":50000000000,') },
        { source: liar.apiUrl, height, value: expect.stringContaining('"amount":9,') },
      ]),
    },
  })
})

it('H3: a third one decides, and who lies is told', async () => {
  await using second = await serve(async ({ url = '' }, response) => {
    response.end(await (await fetch(new URL(url, network.apiUrl))).text())
  })
  const reported: Disagreement[] = []
  const apiUrls = [liar.apiUrl, network.apiUrl, second.apiUrl]
  const onDisagreement = (disagreement: Disagreement) => reported.push(disagreement)
  // The first one is asked first.
  const seeded = { randomness: () => 0, onDisagreement }
  await using client = createClient({ apiUrls, quorum: 2, ...seeded })
  expect((await client.getBalance({ address })).amount).toBe(5n * 10n ** 10n)
  expect(reported).toMatchObject([{ path: '/balance', outvoted: [liar.apiUrl] }])
  expect((await client.getBalance({ address })).amount).toBe(5n * 10n ** 10n)
  expect(reported).toHaveLength(1)
})
