import type { Address, TokenId } from '@hailstone/mining-node'
import { expect, it, vi } from 'vitest'
import { balanceOf, PAUSE_MS, repeatedNo } from './repeated-no.ts'

it('a balance is not zero because one node does not have the account yet', async () => {
  const asked = { address: '02aa' as Address, tokenId: 'aa' as TokenId }
  const none = { amount: 0n, isKnown: false }
  const clientOf = (answers: readonly object[]) => {
    const left = [...answers]
    return { getBalance: vi.fn(async () => left.shift() ?? none) as never }
  }
  expect(await balanceOf(clientOf([none, none, { amount: 7n, isKnown: true }]), asked)).toMatchObject({
    amount: 7n,
  })
  const client = clientOf([])
  expect(await balanceOf(client, asked)).toBe(none)
  expect(client.getBalance).toHaveBeenCalledTimes(4)
  expect(await balanceOf(client, asked, 0n)).toBe(none)
  expect(client.getBalance).toHaveBeenCalledTimes(5)
})

it('a question that is asked once is repeated after pauses', async () => {
  vi.useFakeTimers()
  const askedAt: number[] = []
  const ask = async () => askedAt.push(Date.now() - begunAt) > 9
  const begunAt = Date.now()
  const answer = repeatedNo(ask, (isThere) => !isThere, PAUSE_MS)
  await vi.runAllTimersAsync()
  expect(await answer).toBe(false)
  expect(askedAt).toEqual([0, 1_000, 2_000, 3_000])
  vi.useRealTimers()
})
