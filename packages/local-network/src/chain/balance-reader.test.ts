import { type BalanceKey, createLedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { createBalanceReader } from './balance-reader.ts'

const tokenId = '0'.repeat(64) as TokenId
const keyOf = (number: number): BalanceKey => ({ account: `02${number}` as Address, tokenId })

const noChanges = {
  balances: [],
  tokens: [],
  stakePools: [],
  delegations: [],
  undelegations: [],
  calculated: [],
}

function setUp() {
  const ledger = createLedgerState({ tokens: [], balances: 'unknown' })
  const asked: (readonly BalanceKey[])[] = []
  const heights: number[] = []
  const refused = new Set<Address>()
  const trouble: Error[] = []
  const state: { tip: KeyBlock | null } = { tip: { height: 7 } as KeyBlock }
  let held: (() => void) | undefined
  const reader = createBalanceReader({
    ledger,
    tip: () => state.tip,
    store: {
      async balancesAt(height, keys) {
        asked.push(keys)
        heights.push(height)
        if (keys.some(({ account }) => refused.has(account))) throw new Error('no such text')
        const error = trouble.shift()
        if (error !== undefined) throw error
        if (held !== undefined) await new Promise<void>((resolve) => (held = resolve))
        return keys.map((key) => ({ ...key, amount: 5n }))
      },
    },
  })
  const hold = () => {
    held = () => {}
    return () => {
      held?.()
      held = undefined
    }
  }
  return { ledger, asked, heights, refused, trouble, state, reader, hold }
}

test('reads what is asked for in one turn at once, and what is held not at all', async () => {
  const { reader, asked } = setUp()
  const both = [reader.whenHeld([keyOf(1), keyOf(2)]), reader.whenHeld([keyOf(3)])]
  expect(await Promise.all(both)).toEqual([true, true])
  expect(asked).toEqual([[keyOf(1), keyOf(2), keyOf(3)]])
  expect(reader.whenHeld([keyOf(1), keyOf(3)])).toBe(true)
})

test('reads for those who ask during a read right after it', async () => {
  const { reader, asked, hold } = setUp()
  const letGo = hold()
  const first = reader.whenHeld([keyOf(1)])
  await expect.poll(() => asked.length).toBe(1)
  const second = reader.whenHeld([keyOf(2)])
  letGo()
  expect(await Promise.all([first, second])).toEqual([true, true])
  expect(asked).toEqual([[keyOf(1)], [keyOf(2)]])
})

test('waits while the chain is being put in place, and asks a store that fails again', async () => {
  const { reader, asked, trouble, state } = setUp()
  const { tip } = state
  state.tip = null
  trouble.push(new Error('gone'))
  const held = reader.whenHeld([keyOf(1)])
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(asked).toHaveLength(0)
  state.tip = tip
  expect(await held).toBe(true)
  expect(asked).toHaveLength(2)
})

test('takes no balance that was read for a ledger that has changed since', async () => {
  const { ledger, reader, asked, hold } = setUp()
  const letGo = hold()
  const read = reader.whenHeld([keyOf(1)])
  await expect.poll(() => asked.length).toBe(1)
  ledger.applyChanges(noChanges)
  letGo()
  await Promise.resolve()
  expect(await read).toBe(true)
  expect(asked).toHaveLength(2)
})

test('asks each statement of a long read for the height that is open by then', async () => {
  const { ledger, reader, asked, heights, state, hold } = setUp()
  const letGo = hold()
  const keys = Array.from({ length: 100 }, (_, number) => keyOf(number))
  const read = reader.whenHeld(keys)
  await expect.poll(() => asked.length).toBe(1)
  ledger.applyChanges(noChanges)
  state.tip = { height: 8 } as KeyBlock
  letGo()
  expect(await read).toBe(true)
  // The first statement again, since what it read was of another ledger.
  expect(heights).toEqual([7, 8, 8])
})

test('reads for everybody else when the engine refuses one question', async () => {
  const { reader, refused } = setUp()
  refused.add(keyOf(2).account)
  const [bad, good] = [reader.whenHeld([keyOf(2)]), reader.whenHeld([keyOf(1)])]
  expect(await good).toBe(true)
  expect(await bad).toBe(false)
})

test('answers undefined while a balance is being read, and the balance from then on', async () => {
  const { reader } = setUp()
  expect(reader.balance(keyOf(1).account, tokenId)).toBeUndefined()
  await expect.poll(() => reader.balance(keyOf(1).account, tokenId)).toBe(5n)
})

test('gives those who name a wait no more than that, and nothing while the database is silent for longer', async () => {
  const { reader, asked, state } = setUp()
  const { tip } = state
  state.tip = null
  expect(await reader.whenHeld([keyOf(1)], 30)).toBe(false)
  let isAnswered = false
  void Promise.resolve(reader.whenHeld([keyOf(2)], 10)).then((isHeld) => {
    isAnswered = !isHeld
  })
  await new Promise(setImmediate)
  expect(isAnswered).toBe(true)
  state.tip = tip
  // Both are read all the same, and from then on everybody waits again.
  await expect.poll(() => reader.whenHeld([keyOf(1), keyOf(2)])).toBe(true)
  expect(await reader.whenHeld([keyOf(3)], 1000)).toBe(true)
  expect(asked.flat()).toEqual([keyOf(1), keyOf(2), keyOf(3)])
})

test('asks once for a balance that many wait for', async () => {
  const { reader, asked, hold } = setUp()
  const letGo = hold()
  const first = reader.whenHeld([keyOf(1)])
  await expect.poll(() => asked.length).toBe(1)
  const others = [reader.whenHeld([keyOf(1)]), reader.whenHeld([keyOf(1)])]
  letGo()
  expect(await Promise.all([first, ...others])).toEqual([true, true, true])
  expect(asked).toEqual([[keyOf(1)]])
})
