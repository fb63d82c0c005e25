import { canonicalJson } from '../layers/canonical-json.ts'
import { isPlainObject, type PlainData } from '../layers/plain-data.ts'

/** One change of a value: a member or an element is set, inserted or removed. */
export type EditStep = {
  readonly kind: 'set' | 'insert' | 'remove'
  readonly path: readonly (string | number)[]
  readonly value?: PlainData
}

const isSame = (left: PlainData | undefined, right: PlainData | undefined): boolean =>
  left === right ||
  (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right))

/** Returns the steps that turn one value into another; to be made in this order. */
export function stepsBetween(
  before: PlainData,
  after: PlainData,
  path: EditStep['path'] = [],
): readonly EditStep[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listSteps(before, after, path)
  if (!isPlainObject(before) || !isPlainObject(after)) return [{ kind: 'set', path, value: after }]
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return [
    ...gone.map((key): EditStep => ({ kind: 'remove', path: [...path, key] })),
    ...Object.entries(after).flatMap(([key, value]): readonly EditStep[] => {
      const old = Object.hasOwn(before, key) ? before[key] : undefined
      const place = [...path, key]
      return old === undefined ? [{ kind: 'insert', path: place, value }] : stepsBetween(old, value, place)
    }),
  ]
}

/** Keeps equal elements at both ends, so that what was written between them stays in its place. */
function listSteps(
  before: readonly PlainData[],
  after: readonly PlainData[],
  path: EditStep['path'],
): readonly EditStep[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head])) head += 1
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const both = Math.min(old.length, fresh.length)
  const at = (index: number) => [...path, head + index]
  return [
    ...old.slice(0, both).flatMap((one, index) => stepsBetween(one, fresh[index] ?? null, at(index))),
    ...old.slice(both).map((): EditStep => ({ kind: 'remove', path: at(both) })),
    ...fresh.slice(both).map((value, index): EditStep => ({ kind: 'insert', path: at(both + index), value })),
  ]
}

/** Makes the changes between two values in a third, such as a file that somebody else changed meanwhile. */
export function rebased(current: PlainData, before: PlainData, after: PlainData): PlainData {
  if (isSame(before, after)) return current
  if (!isPlainObject(current) || !isPlainObject(before) || !isPlainObject(after)) return after
  const keys = [...new Set([...Object.keys(current), ...Object.keys(after)])]
  const members = keys.flatMap((key) => {
    const [now, old, fresh] = [current, before, after].map((one) =>
      Object.hasOwn(one, key) ? one[key] : undefined,
    )
    if (isSame(old, fresh)) return now === undefined ? [] : [[key, now] as const]
    if (fresh === undefined) return []
    return [[key, now === undefined || old === undefined ? fresh : rebased(now, old, fresh)] as const]
  })
  return Object.fromEntries(members)
}
