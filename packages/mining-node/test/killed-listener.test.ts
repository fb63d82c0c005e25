import type { Transport } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { type CursorStore, createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { keptValue } from '../src/cursors/kept-value.ts'
import type { RewardListener } from '../src/watchers/deliver.ts'
import type { RewardCursor } from '../src/watchers/reward-cursor.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { type ModelChain, modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'

const account = `02${'ab'.repeat(32)}` as Address
const BLOCK_MS = 15_000
type Sign = '+' | '-'

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
  const memory = createMemoryCursors()
  const told: string[] = []
  let life = 0
  /** A process that is killed when its listener has taken `last`, and not yet returned; it asks what `shown` holds at the time. */
  async function lives(options: {
    shown: (block: number) => ModelChain
    last?: string
    store?: CursorStore
    blocks?: number
    fails?: (sign: Sign, amount: bigint) => boolean
  }): Promise<void> {
    const { shown, last = '', store = memory, blocks = 20, fails = () => false } = options
    const own = ++life
    let block = 0
    const living = <T>(value: T): T | Promise<T> => (own === life ? value : new Promise<T>(() => undefined))
    const take =
      (sign: Sign): RewardListener =>
      ({ amount }) => {
        if (fails(sign, amount)) throw new Error('the webhook answers 500')
        told.push(`${sign}${amount}`)
        if (told.at(-1) === last) life++
        return living(undefined)
      }
    const request: Transport['request'] = async (asked) =>
      living(await shown(block).clientOf(clock).transport.request(asked))
    watchRewards({
      client: { ...chain.clientOf(clock), transport: { request } },
      address: account,
      from: -1,
      pollIntervalMs: 2_000,
      cursor: { store, name: 'rewards' },
      onReward: take('+'),
      onReverted: take('-'),
    })
    for (; block < blocks && own === life; block++) {
      await clock.advance(BLOCK_MS)
      chain.mine([])
      fork.mine([])
    }
    life = own + 1
  }
  return { clock, told, lives, chain, fork, memory }
}

/** A store of which the first write fails. */
function failingOnce(store: CursorStore, left = 1): CursorStore {
  return {
    read: store.read,
    write: async (name, text) => {
      if (left-- > 0) throw new Error('ENOSPC: no space left on device')
      return store.write(name, text)
    },
  }
}

it('a reward that was taken before a kill is taken back, where a fork took it meanwhile', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: () => chain, last: '+2' })
  await lives({ shown: () => fork, last: '+3' })
  expect(told).toEqual(['+1', '+2', '+2', '-2', '+3'])
})

it('a reward that was taken before a kill is not taken back for a node that is behind it', async () => {
  const { clock, told, lives, chain } = killedProcesses()
  for (let block = 0; block < 12; block++) {
    await clock.advance(BLOCK_MS)
    chain.mine([])
  }
  chain.mine([3n])
  await lives({ shown: () => chain, last: '+3' })
  chain.faults.lag = 12
  await lives({ shown: () => chain, blocks: 40 })
  expect(told).toEqual(['+1', '+2', '+3', '+3'])
})

it('a reward that was taken back before a kill is told again, where the chain came back meanwhile', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: () => chain })
  await lives({ shown: () => fork, last: '-2' })
  await lives({ shown: () => chain, last: '+2' })
  expect(told).toEqual(['+1', '+2', '-2', '-2', '+2'])
})

it('one write fails after a kill: what was taken is taken back', async () => {
  const { told, lives, chain, fork, memory } = killedProcesses()
  await lives({ shown: () => chain, last: '+2' })
  await lives({ shown: () => fork, store: failingOnce(memory) })
  expect(told).toEqual(['+1', '+2', '+2', '-2', '+3'])
})

it('one write fails after a kill: what was taken back is told again', async () => {
  const { told, lives, chain, fork, memory } = killedProcesses()
  await lives({ shown: () => chain })
  await lives({ shown: () => fork, last: '-2' })
  await lives({ shown: () => chain, store: failingOnce(memory) })
  expect(told).toEqual(['+1', '+2', '-2', '-2', '+2'])
})

it('the listener fails after a kill, until the fork is seen: what was taken is taken back', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: () => chain, last: '+2' })
  let failing = 0
  let now = 0
  await lives({
    shown: (block) => {
      now = block
      return block < 3 ? chain : fork
    },
    fails: (sign, amount) => sign === '+' && amount === 2n && now < 8 && ++failing > 0,
    blocks: 40,
  })
  expect(failing).toBeGreaterThan(1)
  expect(told.filter((one) => one.endsWith('2'))).toContain('-2')
})

it('the listener fails after a kill, until the chain is back: what was taken back is told again', async () => {
  const { told, lives, chain, fork } = killedProcesses()
  await lives({ shown: () => chain })
  await lives({ shown: () => fork, last: '-2' })
  let now = 0
  await lives({
    shown: (block) => {
      now = block
      return block < 3 ? fork : chain
    },
    fails: (sign) => sign === '-' && now < 8,
    blocks: 40,
  })
  expect(told.slice(0, 3)).toEqual(['+1', '+2', '-2'])
  expect(told.at(-1)).toBe('+2')
})

function gated() {
  let go = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  return { gate, go: () => go() }
}

function watchOf(
  { clock, chain }: ReturnType<typeof killedProcesses>,
  store: CursorStore,
  told: string[],
  name: string,
) {
  return watchRewards({
    client: chain.clientOf(clock),
    address: account,
    from: -1,
    pollIntervalMs: 2_000,
    cursor: { store, name: 'rewards' },
    onReward: ({ amount }) => void told.push(`${name}+${amount}`),
    onReverted: ({ amount }) => void told.push(`${name}-${amount}`),
  })
}

it('a watch that was stopped while its store wrote calls no listener', async () => {
  const all = killedProcesses()
  const { clock, memory } = all
  const told: string[] = []
  const { gate, go } = gated()
  const slow: CursorStore = {
    read: memory.read,
    write: (name, text) => gate.then(() => memory.write(name, text)),
  }
  const watch = watchOf(all, slow, told, 'one')
  await clock.advance(5_000)
  const stopped = watch.stop().then(() => told.push('stopped'))
  await clock.advance(11_000)
  await stopped
  go()
  await clock.advance(1_000)
  expect(told).toEqual(['stopped'])
})

it('a watch that was stopped while its store read leaves the cursor to the next one', async () => {
  const all = killedProcesses()
  const { clock, memory, lives, chain } = all
  await lives({ shown: () => chain, last: '+1' })
  const told: string[] = []
  const { gate, go } = gated()
  const slow: CursorStore = {
    write: memory.write,
    read: async (name) => {
      const text = await memory.read(name)
      await gate
      return text
    },
  }
  const one = watchOf(all, slow, told, 'one')
  await clock.advance(5_000)
  const stopped = one.stop()
  await clock.advance(11_000)
  await stopped
  const two = watchOf(all, memory, told, 'two')
  await clock.advance(60_000)
  await two.stop()
  const before = await memory.read('rewards')
  go()
  await clock.advance(1_000)
  const after = await memory.read('rewards')
  const three = watchOf(all, memory, told, 'three')
  await clock.advance(60_000)
  await three.stop()
  expect({ told, isSame: before === after }).toEqual({ told: ['two+1', 'two+2'], isSame: true })
})

it('a watch that was stopped by a rejection told nothing, so nothing is told of what a fork took', async () => {
  const { clock, chain, fork, memory, lives, told } = killedProcesses()
  const watch = watchRewards({
    client: chain.clientOf(clock),
    address: account,
    from: -1,
    pollIntervalMs: 2_000,
    cursor: { store: memory, name: 'rewards' },
    onReward: ({ amount }) => {
      if (amount === 2n) throw new Error('the webhook answers 500')
      told.push(`+${amount}`)
    },
  })
  await clock.advance(30_000)
  const stopped = watch.stop()
  await clock.advance(11_000)
  await stopped
  await lives({ shown: () => fork })
  expect(told).toEqual(['+1', '+3'])
})

it('what an earlier version kept in a cursor that it moved on is not told again', async () => {
  const { chain, memory, lives, told } = killedProcesses()
  await lives({ shown: () => chain, last: '+1' })
  const kept = keptValue<RewardCursor>({ store: memory, name: 'rewards' })
  const cursor = await kept.read()
  await lives({ shown: () => chain })
  const moved = await kept.read()
  expect([cursor?.handing?.reward.amount, moved?.handing]).toEqual([1n, undefined])
  if (moved !== null) await kept.write({ ...moved, handing: cursor?.handing })
  await lives({ shown: () => chain })
  expect(told).toEqual(['+1', '+1', '+2'])
})
