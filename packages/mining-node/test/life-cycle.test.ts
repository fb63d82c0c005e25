import { createWallet, networks } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CursorStore, createMemoryCursors } from '../src/cursors/cursor-store.ts'
import type { MiningNode } from '../src/mining-node.ts'
import { createMiningNode } from '../src/node.ts'
import { runSession } from '../src/session/run-session.ts'
import { quietGateway } from './quiet-gateway.ts'
import { until } from './until.ts'

/** A store like a disk: every read takes a moment, so that something may happen meanwhile. */
function slowCursors(): CursorStore {
  const store = createMemoryCursors()
  const moment = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    read: (name) => moment().then(() => store.read(name)),
    write: (name, text) => moment().then(() => store.write(name, text)),
  }
}

const wallet = createWallet()

function quietNode() {
  const gateway = quietGateway()
  const { openChannel } = gateway
  const cursors = slowCursors()
  const node = createMiningNode({ wallet, gatewayUrl: 'ws://127.0.0.1:1', openChannel, cursors })
  return { node, gateway }
}

const hasEnded = ({ state }: MiningNode): boolean => state.status === 'stopped' || state.status === 'idle'

describe('the last one asked decides', () => {
  it('a start that is stopped at once ends stopped, with no socket', async () => {
    const { node, gateway } = quietNode()
    await Promise.all([node.start(), node.stop()])
    expect(node.state).toMatchObject({ status: 'stopped', reason: 'requested' })
    expect(gateway.openCount()).toBe(0)
  })

  it('a stop inside the listener of the start holds', async () => {
    const { node, gateway } = quietNode()
    let stopped: Promise<void> | undefined
    node.on('started', () => {
      stopped = node.stop()
    })
    await node.start()
    await stopped
    expect(hasEnded(node)).toBe(true)
    expect(gateway.openCount()).toBe(0)
  })

  it('two starts at once begin one session', async () => {
    const { node, gateway } = quietNode()
    let begun = 0
    node.on('started', () => void begun++)
    await Promise.all([node.start(), node.start()])
    expect(begun).toBe(1)
    expect(gateway.openCount()).toBe(1)
    await node.close()
  })

  it('a stop of a running node is seen at once, as a page that goes away needs it', async () => {
    const { node } = quietNode()
    await node.start()
    const stopped = node.stop()
    expect(node.state.status).toBe('stopped')
    await stopped
  })

  it('a start that fails leaves the next call free', async () => {
    const node = createMiningNode({ wallet, gatewayUrl: 'http://127.0.0.1' })
    const failed = node.start()
    const stopped = node.stop()
    await expect(failed).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
    await stopped
    expect(hasEnded(node)).toBe(true)
  })

  const call = fc.record({
    verb: fc.constantFrom('start', 'stop', 'close', 'watch'),
    /** Turns of the event loop before the next call; -1 waits for this one. */
    turns: fc.constantFrom(-1, 0, 0, 0, 1, 2, 5),
  })

  it('over random sequences, overlapping or not', () =>
    fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
        const { node, gateway } = quietNode()
        const running: Promise<void>[] = []
        for (const { verb, turns } of calls) {
          const own = node[verb as 'start' | 'stop' | 'close' | 'watch']()
          running.push(own)
          if (turns < 0) await own
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
        }
        await Promise.all(running)
        const last = calls.filter(({ verb }) => verb !== 'watch').at(-1)?.verb
        expect(hasEnded(node)).toBe(last !== 'start')
        expect(gateway.openCount()).toBe(last === 'start' ? 1 : 0)
        await node.close()
        expect(gateway.openCount()).toBe(0)
        expect(hasEnded(node)).toBe(true)
      }),
      { numRuns: 500 },
    ))
})

it('a session whose owner threw once still hears what it is told', async () => {
  const { openChannel, openCount } = quietGateway()
  let isAngry = false
  const session = runSession({
    settings: { gatewayUrl: 'ws://127.0.0.1:1', onDuplicateKey: 'stop' },
    signer: wallet,
    tokenId: ZERO_TOKEN_ID,
    openChannel,
    onEvent: () => undefined,
    onState: () => {
      if (isAngry) throw new Error('the owner threw')
    },
  })
  isAngry = true
  await expect(session.stop()).rejects.toThrow('the owner threw')
  isAngry = false
  await session.stop()
  expect(session.state().status).toBe('stopped')
  expect(openCount()).toBe(0)
})

it('a node that watches another network holds back each time that it is started', async () => {
  await using network = await startLocalNetwork({ seed: 'another', blockTimeMs: 60_000 })
  const { apiUrl, gatewayUrl } = network
  const named = { name: 'named', apiUrl, gatewayUrl, originHash: sha256Hex('other') }
  await using node = createMiningNode({ wallet, network: { ...networks.bit, ...named } })
  const isHeld = (): boolean => node.state.status === 'waiting' && node.state.reason.kind === 'anotherNetwork'
  await node.watch()
  for (let attempt = 0; attempt < 2; attempt++) {
    await node.start()
    await until(isHeld, 'it was reported')
    await node.stop()
  }
})
