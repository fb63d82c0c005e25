import type { Hash, TokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { countTransfers } from './transfer-counts.ts'

const hash = (text: string): Hash => text as Hash

test('counts confirmed transfers by round and token, and keeps rounds apart', () => {
  const tokens = new Map([
    ['a', 'X'],
    ['b', 'X'],
    ['c', 'Y'],
    ['d', 'X'],
  ])
  const counts = countTransfers({
    microblockHashes: ['m1', 'm2', 'm3'].map(hash),
    confirmed: [
      { hash: hash('a'), microblockHash: hash('m1') },
      { hash: hash('b'), microblockHash: hash('m2') },
      { hash: hash('c'), microblockHash: hash('m2') },
      { hash: hash('d'), microblockHash: hash('m3') },
    ],
    tokenOf: (transaction) => tokens.get(transaction) as TokenId | undefined,
    microblocksPerBatch: 2,
  })
  expect(counts).toEqual([
    { tokenId: 'X', count: 2 },
    { tokenId: 'Y', count: 1 },
    { tokenId: 'X', count: 1 },
  ])
})
