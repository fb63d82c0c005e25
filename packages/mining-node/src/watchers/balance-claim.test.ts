import type { Client } from '@hailstone/client'
import { type Address, type Amount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { balancedClient, seededRandom } from '../../test/balanced-client.ts'
import { modelChain } from '../../test/model-chain.ts'
import { type SteppedClock, steppedClock } from '../../test/stepped-clock.ts'
import { followFleetBalances } from '../fleet/fleet-balances.ts'
import { believed, type HeldBalance, NOTHING_HELD } from './balance-claim.ts'
import { watchBalance } from './watch-balance.ts'

const account = `02${'ab'.repeat(32)}` as Address
const POLL_MS = 2_000
const BLOCK_MS = 15_000
const STEP = 1_000_000n

const known = (amount: bigint) => ({ amount: amount as Amount, isKnown: true })
const momentAt = (height: number) => ({
  height,
  timeMs: 30_000 * height,
  atMs: 30_000 * height,
})
const unknown = { amount: 0n as Amount, isKnown: false }

describe('what is believed of a balance', () => {
  const holding = (...amounts: readonly bigint[]): HeldBalance =>
    amounts.reduce((held, amount) => believed(held, [known(amount)], momentAt(1)).held, NOTHING_HELD)

  it('is a rise at once, and less when all answers say it', () => {
    expect(believed(holding(5n), [known(7n)], momentAt(1)).held).toMatchObject({
      last: known(7n),
      superseded: [5n],
    })
    expect(believed(holding(5n), [known(3n), known(3n)], momentAt(1)).held.last).toEqual(known(3n))
    // A node that is starting knows no account.
    expect(believed(holding(5n), [unknown, unknown], momentAt(1))).toMatchObject({
      balance: null,
      held: { last: known(5n) },
    })
    const said = [1, 2, 3, 4].reduce(
      (held, height) => believed(held, [unknown, unknown], momentAt(height)).held,
      holding(5n),
    )
    expect(said.last).toEqual(unknown)
  })

  it('is what it was while one answer still says so, and a rise that an answer names', () => {
    const held = holding(5n)
    expect(believed(held, [known(3n), known(5n)], momentAt(1))).toMatchObject({
      balance: known(5n),
      held: { last: known(5n) },
    })
    expect(believed(held, [unknown, known(5n)], momentAt(1)).held.last).toEqual(known(5n))
    expect(believed(held, [known(3n), known(9n)], momentAt(1)).held.last).toEqual(known(9n))
  })

  it('is less after several macroblocks that say so, and never again what was superseded', () => {
    let held = holding(5n)
    for (const height of [1, 2, 2, 3, 3]) held = believed(held, [known(3n), known(5n)], momentAt(height)).held
    expect(held.last).toEqual(known(5n))
    held = believed(held, [known(3n), known(5n)], momentAt(5)).held
    expect(held.last).toEqual(known(3n))
    for (let height = 6; height < 30; height++)
      held = believed(held, [known(5n), known(3n)], momentAt(height)).held
    expect(held.last).toEqual(known(3n))
  })

  it('stays where macroblocks of minutes show in a moment, and then none for minutes', () => {
    let held = holding(5n)
    for (const [height, atMs] of [
      [22, 353_774],
      [24, 353_901],
      [26, 357_996],
      [27, 483_031],
    ] as const)
      held = believed(held, [known(3n), known(5n)], { ...momentAt(height), atMs }).held
    expect(held.last).toEqual(known(5n))
  })

  it('is less on a chain that began anew, too, where the one of before was denied', () => {
    let held = believed(holding(5n), [known(3n), known(5n)], momentAt(1_000)).held
    for (const height of [2, 3, 4, 5])
      held = believed(held, [known(3n), known(5n)], {
        ...momentAt(1_000 + height),
        height,
      }).held
    expect(held.last).toEqual(known(3n))
  })

  it('forgets denials that nothing repeats', () => {
    let held = holding(5n)
    for (const height of [1, 20, 40, 60, 80])
      held = believed(held, [known(3n), known(5n)], momentAt(height)).held
    expect(held.last).toEqual(known(5n))
  })
})

/** Reads the balance of one account as a watch, or as a fleet of one. */
const readings: [
  string,
  (client: Client, tell: (amount: bigint) => void) => { stop: () => Promise<void> },
][] = [
  [
    'a watch',
    (client, tell) =>
      watchBalance({
        client,
        address: account,
        pollIntervalMs: POLL_MS,
        blockTimeMs: BLOCK_MS,
        onChange: ({ amount }) => tell(amount),
      }),
  ],
  [
    'a fleet',
    (client, tell) => {
      let last: bigint | null = null
      const balances = followFleetBalances({
        client,
        pollIntervalMs: POLL_MS,
        tokenId: ZERO_TOKEN_ID,
        accounts: () => [account],
        size: () => 1,
        onRead: (_, { amount }) => {
          if (amount !== last) tell(amount)
          last = amount
        },
        onError: () => undefined,
      })
      balances.begin(0)
      return balances
    },
  ],
]

const falls = (amounts: readonly bigint[]): number =>
  amounts.filter((amount, at) => amount < (amounts[at - 1] ?? 0n)).length

describe.each(readings)('%s over two nodes behind one address', (_, read) => {
  const begin = (blocksBehind: () => number, seed: number) => {
    const [clock, random] = [steppedClock(), seededRandom(seed)]
    const model = modelChain(account, () => Math.floor(clock.now() / 1_000))
    for (let block = 0; block < 10; block++) model.mine([STEP])
    const client = balancedClient({ model, clock, blocksBehind, isBehind: () => random() < 0.5 })
    const told: bigint[] = []
    return { model, clock, told, ...read(client, (amount) => told.push(amount)) }
  }

  it('tells no fall of an account that only earns', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const { model, clock, told, stop } = begin(() => 3, seed)
      for (let block = 0; block < 60; block++) {
        await clock.advance(BLOCK_MS)
        model.mine(block % 5 === 0 ? [] : [STEP])
      }
      for (let block = 0; block < 12; block++) {
        await clock.advance(BLOCK_MS)
        model.mine([])
      }
      await clock.advance(BLOCK_MS)
      await stop()
      expect(falls(told)).toBe(0)
      expect(told.length).toBeGreaterThan(10)
      expect(told.at(-1)).toBe(model.balance())
    }
  })

  it('tells a payment once, whether the other node comes after or stands still', async () => {
    for (const isStanding of [false, true]) {
      let stood = 0
      const { model, clock, told, stop } = begin(() => 3 + (isStanding ? stood : 0), 7)
      // Both nodes know all that was earned.
      for (let block = 0; block < 6; block++) {
        model.mine([])
        await clock.advance(BLOCK_MS)
      }
      expect(told.at(-1)).toBe(model.balance())
      const before = told.length
      model.mine([], -5n * STEP)
      for (let block = 0; block < 40; block++) {
        await clock.advance(BLOCK_MS)
        model.mine([])
        stood++
      }
      await clock.advance(BLOCK_MS)
      await stop()
      expect(told.slice(before)).toEqual([model.balance()])
    }
  })
})

it('a payment is told in the reading that finds it, by one node', async () => {
  const model = modelChain(account)
  const clock: SteppedClock = steppedClock()
  model.mine([STEP])
  const told: bigint[] = []
  const watch = watchBalance({
    client: model.clientOf(clock),
    address: account,
    pollIntervalMs: POLL_MS,
    blockTimeMs: BLOCK_MS,
    onChange: ({ amount }) => told.push(amount),
  })
  await clock.advance(BLOCK_MS)
  model.mine([], -STEP)
  await clock.advance(POLL_MS)
  // Every second macroblock is read.
  model.mine([])
  await clock.advance(POLL_MS)
  await watch.stop()
  expect(told).toEqual([model.balance() + STEP, model.balance()])
})
