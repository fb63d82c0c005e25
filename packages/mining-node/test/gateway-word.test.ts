import { walletFromPrivateKey } from '@hailstone/client'
import { formatRefusal, LOW_STAKE, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { watchNodeHealth } from '../src/health/index.ts'
import { createMiningNode } from '../src/node.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('turned away'))

it.each([
  [LOW_STAKE, 'STAKE_TOO_LOW', /stake is too low/],
  ['ERR_OF_NEXT_YEAR', 'GATEWAY_LOST', /says: ERR_OF_NEXT_YEAR/],
])(
  'a gateway that says %s and drops the link: session, snapshot and health say the same',
  async (word, code, why) => {
    await using gateway = await startScriptedGateway()
    await using node = createMiningNode({ wallet, gatewayUrl: gateway.url })
    const health = watchNodeHealth({ node, windowMs: 600 })
    const told: string[] = []
    node.on('disconnected', (given) => told.push(given.why))
    node.on('failed', ({ error }) => told.push(error.code))
    await node.start()
    const socket = await gateway.hailed()
    socket.send(formatRefusal(word), () => socket.terminate())
    await until(() => told.length > 0, 'the link was lost')
    expect(told).toEqual([expect.stringMatching(why)])
    const { state } = node.snapshot()
    expect(state.why).toMatch(why)
    expect(state.status === 'waiting' && state.delayMs).toBeGreaterThanOrEqual(60_000)
    expect(health.read()).toMatchObject({ code, why: expect.stringMatching(why) })
    health.stop()
  },
)
