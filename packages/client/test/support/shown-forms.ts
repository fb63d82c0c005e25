import { inspect } from 'node:util'

const asJson = (value: unknown): string => {
  try {
    return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? ''
  } catch (error) {
    return String(error)
  }
}

const asClone = (value: unknown): string => {
  try {
    return inspect(structuredClone(value), { depth: 20, showHidden: true })
  } catch (error) {
    return String(error)
  }
}

/** Every property that can be reached, symbols, prototypes of our own and the text of functions included. */
function* reached(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) {
    yield String(value)
    return
  }
  seen.add(value)
  if (typeof value === 'function') yield Function.prototype.toString.call(value)
  if (ArrayBuffer.isView(value)) yield Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
  if (value instanceof Map || value instanceof Set) for (const each of value) yield* reached(each, seen)
  for (const key of Reflect.ownKeys(value)) {
    yield String(key)
    // Builtins have accessors that throw on their own prototypes; what throws shows nothing.
    const property = Reflect.getOwnPropertyDescriptor(value, key)
    if (property !== undefined && 'value' in property) yield* reached(property.value, seen)
    else yield* reached(readOrError(value, key), seen)
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  const isBuiltIn = prototype === null || Object.values(builtIns).includes(prototype)
  if (!isBuiltIn) yield* reached(prototype, seen)
}

const builtIns = {
  object: Object.prototype,
  function: Function.prototype,
  array: Array.prototype,
  error: Error.prototype,
  promise: Promise.prototype,
}

function readOrError(value: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(value, key)
  } catch (error) {
    return String(error)
  }
}

/** Whatever a program may come to see of a value: in a console, a log, a message, a debugger. */
export const shownForms = (value: unknown): string =>
  [
    inspect(value, { depth: 20, showHidden: true, getters: true, showProxy: true, maxArrayLength: null }),
    asJson(value),
    asClone(value),
    ...reached(value),
  ].join('\n')
