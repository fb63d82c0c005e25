import type { JsonValue } from '@hailstone/protocol'

/** One change of a JSON value: `path` is written `balance`, `[0].ticker`, `records[*].amount`. */
export type MemberChange = {
  readonly path: string
  /** New value of the member; a missing member is added. */
  readonly value?: unknown
  /** Added to a number, or to the number that a text of digits stands for. */
  readonly add?: number | bigint | undefined
  readonly remove?: true | undefined
}

type Step = string | number | '*'

const PATH = /^(?:\[(?:\d+|\*)\]|[A-Za-z_]\w*)(?:\[(?:\d+|\*)\]|\.[A-Za-z_]\w*)*$/

export const isMemberPath = (path: string): boolean => PATH.test(path)

const stepsOf = (path: string): readonly Step[] =>
  Array.from(path.matchAll(/\[(\d+|\*)\]|([A-Za-z_]\w*)/g), ([, index, name]) => {
    if (name !== undefined) return name
    return index === '*' ? '*' : Number(index)
  })

type Container = Record<string | number, unknown>

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function changed(old: unknown, change: MemberChange): unknown {
  if (change.add === undefined) return change.value
  const sum = (units: string | number | bigint): bigint => BigInt(units) + BigInt(change.add ?? 0)
  if (typeof old === 'string' && /^-?\d+$/.test(old)) return String(sum(old))
  if (typeof old === 'bigint') return sum(old)
  return typeof old === 'number' ? old + Number(change.add) : old
}

/** Answers how many members were changed. */
function change(container: unknown, [step, ...rest]: readonly Step[], one: MemberChange): number {
  if (!isContainer(container) || step === undefined) return 0
  const keys = step === '*' ? Object.keys(container) : [step]
  let count = 0
  for (const key of keys) {
    const isThere = Object.hasOwn(container, key)
    if (rest.length > 0) count += isThere ? change(container[key], rest, one) : 0
    else if (one.remove === true) count += isThere ? removed(container, key) : 0
    else if (one.add === undefined || isThere) count += put(container, key, changed(container[key], one))
  }
  return count
}

/** An own member also when its name is `__proto__`. */
function put(container: Container, key: string | number, value: unknown): number {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
  return 1
}

function removed(container: Container, key: string | number): number {
  if (Array.isArray(container)) container.splice(Number(key), 1)
  else delete container[key]
  return 1
}

/** Changes members of a JSON value, in their order; the value given is left as it is. */
export function rewriteMembers(
  value: JsonValue,
  changes: readonly MemberChange[],
): { readonly value: JsonValue; readonly count: number } {
  const copy = structuredClone(value) as unknown
  const count = changes.reduce((sum, one) => sum + change(copy, stepsOf(one.path), one), 0)
  return { value: copy as JsonValue, count }
}
