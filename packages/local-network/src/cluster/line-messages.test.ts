import type { Hash, TokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import type { Share, WholeStand } from '../leader/gateway-end.ts'
import { formatToLeader, parseToLeader, receiveStand, sendStand } from './line-messages.ts'

const native = '0'.repeat(64) as TokenId

/** A gateway with some miners of the native token, and strangers with a token each that nobody knows. */
function standOf({ staked, strangers }: { readonly staked: number; readonly strangers: number }): WholeStand {
  const named = (at: number): TokenId => at.toString(16).padStart(64, 'f') as TokenId
  const ofStaked = new Map<TokenId, Share>(
    staked === 0 ? [] : [[native, { count: staked, weight: BigInt(staked) }]],
  )
  const others = new Map<TokenId, Share>(
    Array.from({ length: strangers }, (_, at) => [named(at), { count: 1, weight: 0n }]),
  )
  const all = (isStaked: boolean) => (isStaked ? ofStaked : others)
  return { keyBlockHash: 'a'.repeat(64) as Hash, staked, stakedTokens: ofStaked.keys(), rested: all, all }
}

test('the sums of a gateway with a staked miner are as short as if no strangers were there', () => {
  const text = formatToLeader(sendStand(standOf({ staked: 3, strangers: 12_000 })))
  expect(text.length).toBeLessThan(500)
  const message = parseToLeader(text)
  if (message.kind !== 'stand') throw new Error('a stand was sent')
  const stand = receiveStand(message)
  expect([stand.staked, [...stand.stakedTokens]]).toEqual([3, [native]])
  expect([...stand.all(true)]).toEqual([[native, { count: 3, weight: 3n }]])
})

test('where nobody has a stake, those without are told of', () => {
  const message = parseToLeader(formatToLeader(sendStand(standOf({ staked: 0, strangers: 2 }))))
  if (message.kind !== 'stand') throw new Error('a stand was sent')
  expect(receiveStand(message).all(false).size).toBe(2)
})
