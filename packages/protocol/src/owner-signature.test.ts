import { expect, it } from 'vitest'
import { addressOf, signText } from './ecdsa.ts'
import { isSignedByOwner, type OwnerSignedBlock, parseOwnerSignature } from './owner-signature.ts'
import { parsePrivateKey } from './values/private-key.ts'

const key = parsePrivateKey('7'.padStart(64, '0'))
const merkleRoot = 'ab'.repeat(32)
const bytesOf = (value: unknown) => [...Buffer.from(JSON.stringify(value))]
const block = (changes: Partial<OwnerSignedBlock> = {}): OwnerSignedBlock => ({
  merkleRoot,
  leader: addressOf(key),
  leaderSignature: { bytes: bytesOf(signText(merkleRoot, key)) },
  ...changes,
})

it('verifies the signature of newer nodes as what it is: ECDSA of the named leader over the root', () => {
  expect(isSignedByOwner(block())).toBe(true)
  expect(isSignedByOwner(block({ leader: addressOf(key).toUpperCase() }))).toBe(true)
  const other = addressOf(parsePrivateKey('8'.padStart(64, '0')))
  for (const wrong of [
    { merkleRoot: 'cd'.repeat(32) },
    ...[other, null, undefined, '', 'ab'].map((leader) => ({ leader })),
    { leaderSignature: null },
    { leaderSignature: undefined },
    ...['', 'zz', 'ab', { r: { x: ['1'], y: [] }, s: { x: [], y: [] } }, 5, null].map((sign) => ({
      leaderSignature: { bytes: bytesOf(sign) },
    })),
    { leaderSignature: { bytes: [34, 256, 34] } },
    { leaderSignature: { bytes: new Array(100_000).fill(97) } },
  ])
    expect(isSignedByOwner(block(wrong)), JSON.stringify(wrong).slice(0, 80)).toBe(false)
})

it('tells it from the two points of section 8', () => {
  expect(parseOwnerSignature(bytesOf('aBcd'))).toBe('aBcd')
  expect(parseOwnerSignature(bytesOf({ r: {}, s: {} }))).toBeNull()
})
