import type { Address, TokenId } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type BalanceKey, createHeldBalances } from './held-balances.ts'

const tokenId = 'f'.repeat(64) as TokenId
const keyOf = (number: number): BalanceKey => ({ account: `02${number}` as Address, tokenId })
const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ ...keyOf(from + at), amount: BigInt(from + at) }))

describe('balances up to the limit', () => {
  it('are all held: what is not there is known not to be there', () => {
    const balances = createHeldBalances(rowsOf(0, 10), 10)
    expect(balances.get(keyOf(3).account, tokenId)).toBe(3n)
    expect(balances.holds(keyOf(77))).toBe(true)
    expect(balances.get(keyOf(77).account, tokenId)).toBeUndefined()
    expect(balances.attempt(() => balances.get(keyOf(77).account, tokenId)).unread).toEqual([])
    expect([...balances.all()]).toHaveLength(10)
  })

  it('stay exact when more come than the limit allows', () => {
    const balances = createHeldBalances(rowsOf(0, 10), 10)
    balances.put(rowsOf(10, 12))
    balances.put(rowsOf(12, 13))
    for (const { amount, ...key } of rowsOf(0, 13))
      if (balances.holds(key)) expect(balances.get(key.account, tokenId)).toBe(amount)
    expect(balances.holds(keyOf(77))).toBe(false)
    expect(() => balances.all()).toThrow('not all balances are in memory')
    expect(balances.content()).toBe('unknown')
  })
})

describe('balances beyond the limit', () => {
  it('are an error to whoever did not read them, and a list to an attempt', () => {
    const balances = createHeldBalances('unknown', 10)
    expect(() => balances.get(keyOf(1).account, tokenId)).toThrow('nobody read the balance')
    const { unread } = balances.attempt(() => {
      balances.get(keyOf(1).account, tokenId)
      balances.get(keyOf(2).account, tokenId)
      return balances.get(keyOf(1).account, tokenId)
    })
    expect(unread).toEqual([keyOf(1), keyOf(2)])
    // The attempt is over, even one that failed.
    expect(() =>
      balances.attempt(() => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(() => balances.get(keyOf(1).account, tokenId)).toThrow('nobody read the balance')
  })

  it('are known not to be there once that was read', () => {
    const balances = createHeldBalances('unknown', 10)
    balances.put([{ ...keyOf(1), amount: undefined }])
    expect(balances.holds(keyOf(1))).toBe(true)
    expect(balances.get(keyOf(1).account, tokenId)).toBeUndefined()
    balances.put([{ ...keyOf(1), amount: 5n }])
    expect(balances.get(keyOf(1).account, tokenId)).toBe(5n)
  })

  it('stay while they are used, and the newest answer counts', () => {
    const balances = createHeldBalances('unknown', 10)
    balances.put([{ ...keyOf(0), amount: 1n }])
    for (let from = 1; from < 200; from += 10) {
      if (from === 101) balances.put([{ ...keyOf(0), amount: 2n }])
      balances.put(rowsOf(from, from + 10))
      expect(balances.get(keyOf(0).account, tokenId)).toBe(from < 101 ? 1n : 2n)
    }
    expect(balances.holds(keyOf(1))).toBe(false)
  })

  it('are at most three times the limit, and what came at once is held whole', () => {
    const balances = createHeldBalances('unknown', 10)
    balances.put(rowsOf(0, 25))
    for (const key of rowsOf(0, 25)) expect(balances.holds(key)).toBe(true)
    for (let from = 25; from < 500; from += 5) balances.put(rowsOf(from, from + 5))
    expect(rowsOf(0, 500).filter((key) => balances.holds(key)).length).toBeLessThanOrEqual(30)
  })
})
