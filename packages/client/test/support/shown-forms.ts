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

/** Every property that can be reached, hidden ones, symbols and accessors of classes included. */
function* reached(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    yield String(value)
    return
  }
  if (seen.has(value)) return
  seen.add(value)
  if (typeof value === 'function') yield Function.prototype.toString.call(value)
  if (ArrayBuffer.isView(value)) {
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
    return
  }
  if (value instanceof Map || value instanceof Set) for (const each of value) yield* reached(each, seen)
  for (const holder of holdersOf(value)) {
    for (const key of Reflect.ownKeys(holder)) {
      yield String(key)
      yield* reached(readOrError(holder, key, value), seen)
    }
  }
}

const isBuiltIn = (prototype: object): boolean => {
  const made = prototype.constructor
  return typeof made !== 'function' || /\{ \[native code\] \}$/.test(String(made))
}

/** An object and the prototypes of its own classes. */
function* holdersOf(value: object): Generator<object> {
  yield value
  let prototype: unknown = Object.getPrototypeOf(value)
  while (typeof prototype === 'object' && prototype !== null && !isBuiltIn(prototype)) {
    yield prototype
    prototype = Object.getPrototypeOf(prototype)
  }
}

function readOrError(holder: object, key: PropertyKey, receiver: object): unknown {
  try {
    return Reflect.get(holder, key, receiver)
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
