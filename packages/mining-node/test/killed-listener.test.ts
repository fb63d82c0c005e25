import type { Transport } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import type { RewardListener } from '../src/watchers/deliver.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { type ModelChain, modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'

const account = `02${'ab'.repeat(32)}` as Address

const BLOCK_MS = 15_000

/**
 * A history of two rewards, a fork with a third one in the place of the second, and processes that watch them with one
 * cursor, each killed when its listener has taken its last reward and not yet returned.
 */
function killedProcesses() {
  const clock = steppedClock()
  const seconds = (): number => Math.floor(clock.now() / 1_000)
  const [chain, fork] = [modelChain(account, seconds), modelChain(account, seconds)]
  for (const one of [chain, fork]) {
    one.mine([1n])
    one.mine([2n])
  }
  chain.mine([])
  fork.rollBack(1)
  fork.mine([3n])
  fork.mine([])
  const store = createMemoryCursors()
  const told: string[] = []
  let life = 0
  async function lives({ shown, last }: { shown: ModelChain; last: string }): Promise<void> {
    const own = ++life
    const living = <T>(value: T): T | Promise<T> => (own === life ? value : new Promise<T>(() => undefined))
    const take =
      (sign: string): RewardListener =>
      ({ amount }) => {
        told.push(`${sign}${amount}`)
        if (told.at(-1) === last) life++
        return living(undefined)
      }
    const request: Transport['request'] = async (asked) =>
      living(await shown.clientOf(clock).transport.request(asked))
    watchRewards({
      client: { ...chain.clientOf(clock), transport: { request } },
      address: account,
      from: -1,
      pollIntervalMs: 2_000,
      cursor: { store, name: 'rewards' },
      onReward: take('+'),
      onReverted: take('-'),
    })
    for (let block = 0; block < 20 && own === life; block++) {
      await clock.advance(BLOCK_MS)
      shown.mine([])
    }
    life = own + 1
  }
  return { told, lives, chain, fork }
}

it('a reward that was taken before a kill is taken back, where a fork took it meanwhile', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: chain, last: '+2' })
  await lives({ shown: fork, last: '+3' })
  expect(told).toEqual(['+1', '+2', '+2', '-2', '+3'])
})

it('a reward that was taken back before a kill is told again, where the chain came back meanwhile', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: chain, last: '' })
  await lives({ shown: fork, last: '-2' })
  await lives({ shown: chain, last: '+2' })
  expect(told).toEqual(['+1', '+2', '-2', '-2', '+2'])
})
