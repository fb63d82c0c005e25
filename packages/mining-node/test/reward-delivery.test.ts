import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, createWallet, systemClock, walletFromPrivateKey } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { type Address, type NodeError, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMemoryCursors } from '../src/cursors/cursor-store.ts'
import { createMiningNode, openFileCursors } from '../src/node.ts'
import type { UndeliveredReward } from '../src/watchers/deliver.ts'
import type { WatchRewardsParameters } from '../src/watchers/reward-watch.ts'
import { watchReferralRewards } from '../src/watchers/watch-referral-rewards.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { makeBeacon } from './beacons.ts'
import { fastClock } from './fast-clock.ts'
import { modelChain } from './model-chain.ts'
import { scriptedApi } from './scripted-api.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const account = `02${'ab'.repeat(32)}` as Address

async function fileCursors() {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-cursors-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { store: openFileCursors({ folder }), name: 'rewards' }
}

/** A chain of macroblocks that pay 1, 2, 3, … units. */
function paidChain(blocks: number) {
  const clock = steppedClock()
  const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
  let paid = 0n
  const pay = (count: number): void => {
    for (let block = 0; block < count; block++) model.mine([++paid])
  }
  pay(blocks)
  const common = { client: model.clientOf(clock), address: account, pollIntervalMs: 2_000 }
  return { clock, model, pay, common }
}

const settled = async (clock: SteppedClock, work: Promise<unknown>): Promise<boolean> => {
  let isSettled = false
  void work.finally(() => {
    isSettled = true
  })
  await clock.advance(0)
  return isSettled
}

describe('a listener of rewards that fails', () => {
  it.each([
    ['rejects', async () => Promise.reject(new Error('the webhook answers 500'))],
    [
      'throws',
      () => {
        throw new Error('the webhook answers 500')
      },
    ],
  ])(
    'and %s gets the same reward again after growing pauses, and the others after it, in order',
    async (_, fail) => {
      const { clock, pay, common } = paidChain(1)
      const asked: { readonly amount: bigint; readonly attempt: number; readonly atMs: number }[] = []
      const taken: bigint[] = []
      const errors: NodeError[] = []
      await using watch = watchRewards({
        ...common,
        from: -1,
        onReward: ({ amount }, { attempt }) => {
          asked.push({ amount, attempt, atMs: clock.monotonicMs() })
          return amount === 2n && attempt < 6 ? fail() : taken.push(amount)
        },
        onError: (error) => errors.push(error),
      })
      await clock.advance(2_000)
      pay(3)
      await clock.advance(120_000)
      expect(taken).toEqual([1n, 2n, 3n, 4n])
      const tries = asked.filter(({ amount }) => amount === 2n)
      expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6])
      const pauses = tries.slice(1).map(({ atMs }, at) => atMs - (tries[at]?.atMs ?? 0))
      expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
      expect(pauses.at(-1)).toBeGreaterThan(4 * (pauses[0] ?? 0))
      expect(errors.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'LISTENER_FAILED'))
      expect(watch.cursor()).toBe(3)
    },
  )

  it('loses nothing to a restart: the cursor file has what was taken and nothing else', async () => {
    const { clock, pay, common } = paidChain(3)
    const cursor = await fileCursors()
    const taken: bigint[] = []
    let isDown = true
    const follow = (): ReturnType<typeof watchRewards> =>
      watchRewards({
        ...common,
        from: -1,
        cursor,
        onReward: async ({ amount }) => {
          if (isDown && amount === 2n) throw new Error('the webhook answers 500')
          taken.push(amount)
        },
      })
    const first = follow()
    await until(async () => clock.advance(1_000).then(() => taken.length === 1), 'the first was taken')
    await clock.advance(40_000)
    await first.stop()
    expect([taken, first.cursor()]).toEqual([[1n], 0])
    pay(2)
    isDown = false
    const second = follow()
    await until(() => clock.advance(1_000).then(() => taken.length === 5), 'the others were taken')
    expect(taken).toEqual([1n, 2n, 3n, 4n, 5n])
    await second.stop()
  })

  it.each(['read', 'write'] as const)(
    'tells every reward once while the store of cursors fails to %s, and reports that by its name',
    async (fails) => {
      const { clock, common } = paidChain(3)
      const memory = createMemoryCursors()
      let failures = 3
      const failing = async (): Promise<void> => {
        if (failures-- > 0) throw new Error('ENOSPC: no space left on device')
      }
      const store = {
        read: async (name: string) => (fails === 'read' && (await failing()), memory.read(name)),
        write: async (name: string, text: string) => {
          if (fails === 'write') await failing()
          return memory.write(name, text)
        },
      }
      const taken: bigint[] = []
      const errors: NodeError[] = []
      await using _watch = watchRewards({
        ...common,
        from: -1,
        cursor: { store, name: 'rewards' },
        onReward: ({ amount }) => taken.push(amount),
        onError: (error) => errors.push(error),
      })
      await clock.advance(120_000)
      expect(taken).toEqual([1n, 2n, 3n])
      expect(errors.map(({ code, facts }) => [code, facts])).toEqual(
        Array.from({ length: 3 }, () => [
          'CURSOR_STORE_FAILED',
          { name: 'rewards', reason: 'ENOSPC: no space left on device' },
        ]),
      )
      expect(await memory.read('rewards')).not.toBeNull()
    },
  )

  it('is asked again for what was taken back, newest first, before what took its place', async () => {
    const { clock, model, common } = paidChain(3)
    const reported: string[] = []
    let rejections = 0
    await using _watch = watchRewards({
      ...common,
      from: -1,
      onReward: ({ amount }) => reported.push(`+${amount}`),
      onReverted: async ({ amount }, { attempt }) => {
        if (attempt <= 2) {
          rejections++
          throw new Error('the webhook answers 500')
        }
        reported.push(`-${amount}`)
      },
    })
    await clock.advance(10_000)
    model.rollBack(2)
    await clock.advance(1_000)
    for (const amount of [7n, 8n, 9n]) model.mine([amount])
    await clock.advance(120_000)
    expect(reported).toEqual(['+1', '+2', '+3', '-3', '-2', '+7', '+8', '+9'])
    expect(rejections).toBe(4)
  })

  it('does not get a reward that was taken back while it failed', async () => {
    const { clock, model, common } = paidChain(2)
    const reported: string[] = []
    await using _watch = watchRewards({
      ...common,
      from: -1,
      onReward: ({ amount }) => {
        if (amount === 2n) throw new Error('the webhook answers 500')
        reported.push(`+${amount}`)
      },
      onReverted: ({ amount }) => reported.push(`-${amount}`),
    })
    await clock.advance(10_000)
    model.rollBack(1)
    await clock.advance(1_000)
    for (const amount of [7n, 8n]) model.mine([amount])
    await clock.advance(120_000)
    expect(reported).toEqual(['+1', '+7', '+8'])
  })

  it('of referral rewards is asked again as well', async () => {
    const { address } = walletFromPrivateKey(sha256Hex('miner'))
    const api = scriptedApi(address)
    for (let index = 0; index < 3; index++) {
      const hash = sha256Hex(`microblock ${index}`)
      api.microblocks.set(hash, { publisher: account, referralAgent: address })
      api.rewards.push({ index, recordType: 'iref', amount: 5n, hash })
    }
    const taken: number[] = []
    await using _watch = watchReferralRewards({
      client: api.client,
      address,
      from: -1,
      onReward: async ({ index }, { attempt }) => {
        if (attempt === 1) throw new Error('the webhook answers 500')
        taken.push(index)
      },
    })
    await until(() => taken.length === 3, 'all were taken')
    expect(taken).toEqual([0, 1, 2])
  })

  it('can give away what it keeps rejecting, and goes on with the next', async () => {
    const { clock, common } = paidChain(4)
    const taken: bigint[] = []
    const undelivered: UndeliveredReward[] = []
    let refusals = 0
    await using _watch = watchRewards({
      ...common,
      from: -1,
      maxAttempts: 3,
      onReward: ({ amount }) => {
        if (amount === 2n) throw new Error('unreadable')
        taken.push(amount)
      },
      onUndelivered: async (given) => {
        if (refusals++ < 2) throw new Error('the other place is full')
        undelivered.push(given)
      },
    })
    await clock.advance(120_000)
    expect(taken).toEqual([1n, 3n, 4n])
    expect(undelivered).toMatchObject([{ event: 'rewarded', attempt: 5, reward: { amount: 2n } }])
    expect(undelivered[0]?.error.cause).toMatchObject({ message: 'unreadable' })
  })
})

describe('stopping a watch of rewards', () => {
  it('waits for a listener that runs, and for its cursor', async () => {
    const { clock, common } = paidChain(2)
    const cursor = { store: createMemoryCursors(), name: 'rewards' }
    const signals: AbortSignal[] = []
    let finish = (): void => undefined
    const watch = watchRewards({
      ...common,
      from: -1,
      cursor,
      onReward: (_, { signal }) => {
        signals.push(signal)
        return new Promise<void>((resolve) => {
          finish = resolve
        })
      },
    })
    await clock.advance(4_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    const before = await cursor.store.read('rewards')
    const stopped = watch.stop()
    expect(await settled(clock, stopped)).toBe(false)
    expect(signals[0]?.aborted).toBe(true)
    finish()
    await stopped
    expect([watch.cursor(), signals.length]).toEqual([0, 1])
    expect(await cursor.store.read('rewards')).not.toBe(before)
  })

  it('aborts a listener by its signal, and what it then rejects is told again by the next run', async () => {
    const { clock, common } = paidChain(2)
    const cursor = await fileCursors()
    const taken: bigint[] = []
    const errors: NodeError[] = []
    const first = watchRewards({
      ...common,
      from: -1,
      cursor,
      onReward: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      onError: (error) => errors.push(error),
    })
    await until(() => clock.advance(1_000).then(() => first.cursor() !== null), 'it began')
    await clock.advance(4_000)
    await first.stop()
    expect([first.cursor(), errors]).toEqual([-1, []])
    const second = watchRewards({ ...common, from: -1, cursor, onReward: ({ amount }) => taken.push(amount) })
    await until(() => clock.advance(1_000).then(() => taken.length === 2), 'both were reported')
    expect(taken).toEqual([1n, 2n])
    await second.stop()
  })

  it('from inside the listener after an await ends as well, and the reward counts as told', async () => {
    const { clock, common } = paidChain(2)
    const taken: bigint[] = []
    const watch = watchRewards({
      ...common,
      from: -1,
      onReward: async ({ amount }) => {
        await clock.sleep(100)
        await watch.stop()
        taken.push(amount)
      },
    })
    await clock.advance(30_000)
    expect([taken, watch.cursor()]).toEqual([[1n], 0])
  })
})

describe('a watch from now on, while the API is away at its beginning', () => {
  const reported = (): { readonly all: bigint[]; readonly onReward: WatchRewardsParameters['onReward'] } => {
    const all: bigint[] = []
    return { all, onReward: ({ amount }) => all.push(amount) }
  }

  it('tells everything since, of any role, and nothing from before', async () => {
    const { clock, model, pay, common } = paidChain(0)
    for (let block = 0; block < 30; block++) {
      pay(1)
      await clock.advance(15_000)
    }
    model.faults.failing = Number.MAX_SAFE_INTEGER
    const { all, onReward } = reported()
    await using _watch = watchRewards({ ...common, onReward })
    for (let block = 0; block < 40; block++) {
      await clock.advance(15_000)
      pay(1)
    }
    expect(all).toEqual([])
    model.faults.failing = 0
    await clock.advance(60_000)
    // The 30th macroblock was the open one when the watch began: it was booked after that.
    expect(all).toEqual(Array.from({ length: 41 }, (_, at) => BigInt(30 + at)))
  })

  it('takes a clock that is ahead for what it is, where a beacon named the open key block', async () => {
    const { clock, model, pay, common } = paidChain(0)
    for (let block = 0; block < 10; block++) {
      pay(1)
      await clock.advance(15_000)
    }
    model.faults.failing = Number.MAX_SAFE_INTEGER
    const ahead = { ...clock, now: () => clock.now() + 86_400_000 }
    const { all, onReward } = reported()
    const open = model.keyBlockHash()
    const client = { ...common.client, clock: ahead }
    await using _watch = watchRewards({ ...common, client, openKeyBlock: () => open, onReward })
    for (let block = 0; block < 10; block++) {
      await clock.advance(15_000)
      pay(1)
    }
    model.faults.failing = 0
    await clock.advance(60_000)
    expect(all).toEqual(Array.from({ length: 11 }, (_, at) => BigInt(10 + at)))
  })

  it('believes no gateway that names a key block from long before', async () => {
    const { clock, model, pay, common } = paidChain(0)
    pay(1)
    const first = model.keyBlockHash()
    for (let block = 0; block < 50; block++) {
      await clock.advance(15_000)
      pay(1)
    }
    model.faults.failing = Number.MAX_SAFE_INTEGER
    const { all, onReward } = reported()
    await using _watch = watchRewards({ ...common, openKeyBlock: () => first, onReward })
    for (let block = 0; block < 10; block++) {
      await clock.advance(15_000)
      pay(1)
    }
    model.faults.failing = 0
    await clock.advance(60_000)
    // The open one and those since, as if none had been named.
    expect(all).toEqual(Array.from({ length: 11 }, (_, at) => BigInt(51 + at)))
  })

  it('tells little from before where the clock of this machine was years behind and was put right', async () => {
    const { clock, model, pay, common } = paidChain(0)
    for (let block = 0; block < 50; block++) {
      pay(1)
      await clock.advance(15_000)
    }
    model.faults.failing = Number.MAX_SAFE_INTEGER
    let behindMs = 10 ** 11
    const wrong = { ...clock, now: () => clock.now() - behindMs }
    const { all, onReward } = reported()
    await using _watch = watchRewards({ ...common, client: { ...common.client, clock: wrong }, onReward })
    await clock.advance(15_000)
    behindMs = 0
    pay(1)
    model.faults.failing = 0
    await clock.advance(60_000)
    expect(all.at(-1)).toBe(51n)
    expect(all.length).toBeLessThanOrEqual(4)
  })
})

it('a node on a real network tells every reward since its start, with the API away at first', async () => {
  await using network = await startLocalNetwork({ seed: 'away', blockTimeMs: 500, fallbackMiner: false })
  const { apiUrl, gatewayUrl } = network
  const wallet = walletFromPrivateKey(String(network.accounts.developers[0]?.privateKey))
  await using client = createClient({ apiUrl })
  // An earlier run earns before; nothing of that is told.
  await using earlier = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 500 })
  let isEarning = false
  earlier.on('rewarded', () => {
    isEarning = true
  })
  await earlier.start()
  await until(() => isEarning, 'the earlier run earned')
  await earlier.close()
  await network.control.pause()
  const before = await historyOf(client, wallet.address)
  const { over } = await network.control.outage({ of: 'api', durationMs: 5_000 })
  network.control.resume()
  const reported: number[] = []
  const published = new Set<string>()
  await using node = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 500 })
  node.on('published', ({ microblockHash }) => published.add(microblockHash))
  let isOwnReported = false
  node.on('rewarded', ({ index, microblockHash }) => {
    reported.push(index)
    isOwnReported ||= microblockHash !== null && published.has(microblockHash)
  })
  await node.start()
  await over
  // The first ones may be for what the earlier run had published last.
  await until(() => isOwnReported, 'it reported a reward of its own')
  await node.stop()
  const last = reported.at(-1) ?? 0
  const after = await historyOf(client, wallet.address)
  const own = after.filter(({ hash, index }) => published.has(hash) && index <= last)
  expect(own.length).toBeGreaterThan(0)
  expect(reported).toEqual(expect.arrayContaining(own.map(({ index }) => index)))
  expect(reported.filter((index) => before.some((line) => line.index === index))).toEqual([])
  expect(reported).toEqual([...new Set(reported)].sort((one, other) => one - other))
}, 120_000)

it('a node takes the open key block from no beacon that it refused', async () => {
  const wallet = createWallet()
  const { address } = wallet
  let second = Math.floor(systemClock.now() / 1_000) - 864_000
  const model = modelChain(address, () => second)
  const mine = (amount: bigint): void => {
    second += 15
    model.mine([amount])
  }
  mine(1n)
  const named = model.keyBlockHash()
  mine(2n)
  mine(3n)
  model.faults.failing = Number.MAX_SAFE_INTEGER
  await using gateway = await startScriptedGateway()
  const client = model.clientOf(fastClock(100))
  await using node = createMiningNode({
    wallet,
    client,
    gatewayUrl: gateway.url,
    tokenId: ZERO_TOKEN_ID,
    mineBelowStake: true,
  })
  const reported: bigint[] = []
  let isRefused = false
  node.on('rewarded', ({ amount }) => reported.push(amount))
  node.on('beaconRefused', () => {
    isRefused = true
  })
  await node.start()
  const socket = await gateway.hailed()
  const statedHash = sha256Hex('another')
  socket.send(makeBeacon({ publisher: address, nonce: 1, keyBlockHash: named, statedHash }).text)
  await until(() => isRefused, 'the beacon was refused')
  model.faults.failing = 0
  second = Math.ceil(systemClock.now() / 1_000)
  model.mine([4n])
  await until(() => reported.includes(4n), 'the new reward was told')
  expect(reported).toEqual([3n, 4n])
})

/** Oldest first. */
async function historyOf(client: ReturnType<typeof createClient>, address: Address) {
  const lines: { readonly index: number; readonly hash: string }[] = []
  for await (const { index, hash } of client.rewardsOf({ address })) lines.unshift({ index, hash })
  return lines
}
