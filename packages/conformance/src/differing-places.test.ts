import { expect, it } from 'vitest'
import { difference } from './case.ts'

const blocks = (reward: bigint) => ({
  blocks: Array.from({ length: 40 }, (_, n) => ({
    n: BigInt(n),
    hash: 'ab'.repeat(32),
    reward: n === 30 ? reward : 1n,
  })),
})

it('names the place in a long answer, not its beginning', () => {
  expect(difference('answer', blocks(7n), blocks(8n))).toBe('answer.blocks[30].reward: expected 7, found 8')
})

it.each([
  ['an absent member', { a: 1n, b: null }, { a: 1n }, 'x.b: expected null, found nothing'],
  ['a member too many', [{}], [{ a: '1' }], 'x[0].a: expected nothing, found "1"'],
  ['a shorter list', [1n, 2n], [1n], 'x[1]: expected 2, found nothing'],
  ['another type', { a: 1n }, { a: '1' }, 'x.a: expected 1, found "1"'],
  ['a list for an object', [], {}, 'x: expected [], found {}'],
  ['more than one', { a: 1n, b: 1n }, { a: 2n, b: 2n }, 'x.a: expected 1, found 2 (and 1 more)'],
] as const)('tells %s', (_, expected, found, reason) => expect(difference('x', expected, found)).toBe(reason))

it('does not mind the order of members, nor how a number is held', () => {
  expect(difference('x', { a: 1n, b: [5] }, { b: [5n], a: 1 })).toBeNull()
  expect(difference('x', undefined, null)).toBeNull()
})
