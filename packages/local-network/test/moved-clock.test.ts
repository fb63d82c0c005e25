import { parsePrivateKey } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { startLocalNetwork } from '../src/serve.ts'
import { rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

const HOUR_MS = 3_600_000

/** A network whose clock can be put elsewhere, as that of a machine is by its time service. */
async function networkWithClock(blockTimeMs = 200) {
  let offsetMs = 0
  let waitedMs = 0
  const network = await startLocalNetwork({
    blockTimeMs,
    seed: 'moved clock',
    clock: {
      ...systemClock,
      now: () => Date.now() + offsetMs,
      elapsedMs: () => performance.now() + waitedMs,
    },
  })
  return {
    network,
    move: (byMs: number) => {
      offsetMs += byMs
    },
    wait: (ms: number) => {
      waitedMs += ms
    },
    [Symbol.asyncDispose]: () => network.stop(),
  }
}

describe('a clock that is moved while a miner mines', () => {
  for (const [direction, byMs] of [
    ['back an hour', -HOUR_MS],
    ['forward an hour', HOUR_MS],
  ] as const)
    it(`${direction}: macroblocks are closed, and the miner is paid`, async () => {
      await using world = await networkWithClock()
      const { network, move } = world
      const { privateKey } = network.accounts.developers[0] ?? { privateKey: '' }
      const miner = await rawMiner(network.gatewayUrl, { privateKey: parsePrivateKey(privateKey) })
      miner.mine()
      miner.hail()
      let paid = 0
      network.on('macroblockClosed', ({ macroblock }) => {
        paid += macroblock.microblocks.filter(({ publisher }) => publisher === miner.address).length
      })
      for (let round = 0; round < 5; round++) {
        const before = paid
        await until(() => paid > before + 2)
        move(byMs)
      }
      const before = paid
      await until(() => paid > before + 2)
      miner.close()
      expect(paid).toBeGreaterThan(15)
    })
})

it('put back, it does not hide that no macroblock closes', async () => {
  await using world = await networkWithClock(HOUR_MS)
  world.move(-HOUR_MS)
  world.wait(600_000)
  const answer = await fetch(`${world.network.apiUrl}/health`)
  const { last_block_age_ms } = (await answer.json()) as { readonly last_block_age_ms: number }
  expect(last_block_age_ms).toBeGreaterThanOrEqual(600_000)
})
