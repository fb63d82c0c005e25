import { createClient, createWallet } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import { serveHealth, watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const BLOCK_MS = 400
const STAKE = 1_000n * 10n ** 10n

it('G-19: a miner that was not chosen says who mined instead, stays ready, and no probe restarts it', async () => {
  await using network = await startLocalNetwork({ seed: 'not chosen', blockTimeMs: BLOCK_MS })
  // Takes the hail and never offers anything: the miner whose turn does not come.
  await using gateway = await startScriptedGateway()
  await using client = createClient({ apiUrl: network.apiUrl })
  const wallets = [createWallet(), createWallet(), createWallet()] as const
  for (const { address } of wallets) await network.control.fund(address, STAKE)
  await using node = createMiningNode({
    wallet: wallets[0],
    client,
    gatewayUrl: gateway.url,
    blockTimeMs: BLOCK_MS,
  })
  const health = watchNodeHealth({ node, windowMs: BLOCK_MS })
  await using server = await serveHealth(
    { health: health.read, status: node.snapshot, metrics: () => '' },
    { port: 0 },
  )
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  await node.start()
  await until(() => node.snapshot().stakes !== null && node.snapshot().balance !== null, 'it knows its stake')
  await until(() => node.state.status === 'waitingForBeacon', 'it was introduced')

  await using one = createMiningNode({ wallet: wallets[1], client, gatewayUrl: network.gatewayUrl })
  await using other = createMiningNode({ wallet: wallets[2], client, gatewayUrl: network.gatewayUrl })
  await Promise.all([one.start(), other.start()])
  const reported: string[] = []
  node.subscribe(() => reported.push(node.state.why))
  const named = /^not chosen yet: (1 other|2 others) mined \d+ blocks?$/
  await until(() => reported.some((why) => named.test(why)), 'it says who mined instead')
  await until(() => health.read().code === 'NOT_CHOSEN', 'it is ready')
  expect(health.read()).toMatchObject({ isReady: true, nextStep: '' })
  expect(health.read().why).toMatch(/^Not chosen yet: .* mined \d+ blocks?\.$/)
  // Without anybody it is not ready, which is nobody's fault: a restart mends nothing.
  await Promise.all([one.stop(), other.stop(), node.stop()])
  expect(await ask('/readyz')).toMatchObject({ status: 503, body: { isReady: false } })
  expect(await ask('/livez')).toStrictEqual({ status: 200, body: { isLive: true } })
  expect(await ask('/health')).toMatchObject({ status: 200, body: { isLive: true, isReady: false } })
  health.stop()
})
