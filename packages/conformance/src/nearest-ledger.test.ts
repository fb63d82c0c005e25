import type { JsonValue } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { nearestLedger } from './nearest-ledger.ts'

const ledger = (seed: string | bigint, content: string): JsonValue => ({
  seed,
  content,
  params: {},
  initial: {},
  blocks: [],
  steps: [],
  account_index: [],
})

const files = (...given: readonly (readonly [path: string, seed: string | bigint, content: string])[]) =>
  given.map(([path, seed, content]) => ({ path, file: ledger(seed, content) }))

const find = (path: string, given: ReturnType<typeof files>) =>
  nearestLedger('1', { files: given, path }) as { readonly content: string }

it('takes the ledger of its own folder before one of any other, whatever their order', () => {
  const given = files(['b/other.json', '1', 'b'], ['a/ledger.json', 1n, 'a'], ['a/ledger-2.json', '2', 'c'])
  expect(find('a/http.json', given).content).toBe('a')
  expect(find('b/http.json', given).content).toBe('b')
  expect(find('a/http.json', given.toReversed()).content).toBe('a')
})

it('takes the nearest around it when its own folder has none', () => {
  const given = files(['x/a/ledgers/l.json', '1', 'a'], ['x/b/ledgers/l.json', '1', 'b'])
  expect(find('x/a/http/h.json', given).content).toBe('a')
  expect(find('x/b/http/h.json', given).content).toBe('b')
  expect(find('y/h.json', files(['z/l.json', '1', 'far'])).content).toBe('far')
})

it('takes copies of one ledger for one', () => {
  expect(find('a/h.json', files(['b/l.json', '1', 'x'], ['c/l.json', '1', 'x'])).content).toBe('x')
})

it('refuses to choose between different ones that are as near, and says that there is none', () => {
  const given = files(['b/l.json', '1', 'x'], ['c/l.json', '1', 'y'])
  expect(() => find('a/h.json', given)).toThrow(
    'two different ledgers of seed 1 are as near: b/l.json and c/l.json',
  )
  expect(() => find('a/h.json', files(['a/l.json', '2', 'x']))).toThrow('no recorded ledger of seed 1')
})
