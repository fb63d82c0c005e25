import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSumTree } from './sum-tree.ts'

type Step =
  | { readonly kind: 'add' | 'remove'; readonly item: number }
  | { readonly kind: 'weigh'; readonly item: number; readonly weight: bigint | null }

const item = fc.nat({ max: 30 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), item }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('weigh' as const),
      item,
      weight: fc.option(fc.bigInt(0n, 2n ** 70n)),
    }),
  },
)

/** The same as a list that is looked through. */
function listOf(steps: readonly Step[]) {
  const list = new Map<number, bigint | null>()
  for (const one of steps) {
    if (one.kind === 'remove') list.delete(one.item)
    else if (one.kind === 'add' && !list.has(one.item)) list.set(one.item, null)
    else if (one.kind === 'weigh' && list.has(one.item)) list.set(one.item, one.weight)
  }
  const taking = [...list].flatMap(([name, weight]) => (weight === null ? [] : [{ name, weight }]))
  return { size: list.size, taking, total: taking.reduce((sum, { weight }) => sum + weight, 0n) }
}

test('finds what a list finds, whatever came, went and changed its weight', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 300 }), (steps) => {
      const tree = createSumTree<number>()
      for (const one of steps) {
        if (one.kind === 'weigh') tree.weigh(one.item, one.weight)
        else tree[one.kind](one.item)
      }
      const { size, taking, total } = listOf(steps)
      expect([tree.size(), tree.count(), tree.total()]).toEqual([size, taking.length, total])
      expect(tree.first()).toBe(taking[0]?.name)
      let from = 0n
      for (const { name, weight } of taking) {
        if (weight > 0n) expect([tree.at(from), tree.at(from + weight - 1n)]).toEqual([name, name])
        from += weight
      }
      expect([tree.at(-1n), tree.at(total)]).toEqual([undefined, undefined])
    }),
  )
})
