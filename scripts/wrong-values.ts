import { inspect } from 'node:util'

/** Values that a program without a compiler passes by mistake. */
export const commonMistakes: readonly unknown[] = [undefined, null, 5, '5', {}, [], Number.NaN]

/** And those that no program passes by mistake alone. */
const wrongValues: readonly unknown[] = [
  ...commonMistakes,
  ...[-5, 5n, -5n, true, '', ' 5 ', Symbol('x'), () => '5'],
  // Whatever turns it into a text gets another one, or an error.
  { toString: () => 'ab'.repeat(32) },
  Object.create(null),
]

/** Keys, addresses, hashes and ids: nothing that is wrong resembles them. */
const isHex = (value: unknown): boolean => typeof value === 'string' && /^[\da-f]{64,66}$/.test(value)

/** A function with a call of it that is right. It is made anew for each wrong one. */
export type RightCall = () => readonly [act: (...given: never[]) => unknown, ...given: readonly unknown[]]

/** An argument, or a property of one, by its name. */
type Place = { readonly path: readonly (string | number)[]; readonly value: unknown }

/** An error of ours: those of the engine have no facts. */
const isOurs = (error: unknown): error is Error => error instanceof Error && 'facts' in error

/** A clock, a wallet or another part that a program passes on has methods; what it is made of is not looked at. */
const isData = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !Object.values(value).some((member) => typeof member === 'function')

const isParameters = (value: unknown, { length }: Place['path']): boolean =>
  length === 0 || (length === 1 && Object.getPrototypeOf(Object(value)) === Object.prototype)

/** Lists the arguments, their properties, and the properties of these. */
const placesIn = (value: unknown, path: Place['path'] = []): readonly Place[] => [
  ...(path.length === 0 ? [] : [{ path, value }]),
  ...(isParameters(value, path) || (path.length < 3 && isData(value))
    ? Object.entries(Object(value)).flatMap(([name, inner]) =>
        placesIn(inner, [...path, path.length === 0 ? Number(name) : name]),
      )
    : []),
]

function replaced(whole: unknown, [name, ...rest]: Place['path'], by: unknown): unknown {
  if (name === undefined) return by
  const inner = replaced(Object(whole)[name], rest, by)
  return Array.isArray(whole)
    ? whole.map((one, at) => (at === name ? inner : one))
    : { ...Object(whole), [name]: inner }
}

/** Calls, and waits for what it promises or for the first of what it yields; then ends what it made. */
async function outcomeOf(
  act: (...given: never[]) => unknown,
  given: readonly unknown[],
): Promise<{ readonly outcome: unknown; readonly isPromise: boolean }> {
  let isPromise = false
  try {
    const answer = act(...(given as never[]))
    isPromise = typeof Object(answer).then === 'function'
    const made: unknown = await answer
    if (typeof Object(made).next === 'function') await Object(made).next()
    const end = Object(made)[Symbol.asyncDispose] ?? Object(made).close ?? Object(made).stop
    if (typeof end === 'function') await end.call(made)
    return { outcome: 'taken', isPromise }
  } catch (outcome) {
    return { outcome, isPromise }
  }
}

/** Numbers, functions and truth values are refused by their name; what else is wrong may be taken, or refused. */
function verdict({ path, value }: Place, by: unknown, outcome: unknown): string | null {
  const kind = typeof value
  const isSameKind = typeof by === kind && !Number.isNaN(by)
  const isStrict = /^(?:number|function|boolean|bigint)$/.test(kind) && !isSameKind
  const mustRefuse = (isStrict || isHex(value)) && by !== undefined
  if (isOurs(outcome)) {
    const name = path.findLast((part) => typeof part === 'string')
    // What is wrong with a key or a hash is said by a code of its own, before anybody is asked.
    const isBefore = isHex(value) && !/^(?:REQUEST|HTTP)_/.test(Reflect.get(outcome, 'code') as string)
    const isNamed = name === undefined || isBefore || outcome.message.includes(name)
    return !mustRefuse || isNamed ? null : `not named: ${outcome.message}`
  }
  if (outcome === 'taken') return mustRefuse ? 'taken in silence' : null
  return `raw: ${outcome}`
}

const shown = (value: unknown): string => inspect(value, { breakLength: Number.POSITIVE_INFINITY })

/**
 * Puts each wrong value into each place of each call, and returns those that ended in an error of the engine, in silence
 * where a number or a function is expected, in an error that does not name the parameter, or in one that is thrown by a
 * function that returns a promise.
 */
export async function wronglyTaken(
  calls: Readonly<Record<string, RightCall>>,
  values: readonly unknown[] = wrongValues,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, rightCall] of Object.entries(calls)) {
    const [rightAct, ...right] = rightCall()
    const { isPromise } = await outcomeOf(rightAct, right)
    for (const place of placesIn(right))
      for (const by of values) {
        const [act, ...given] = rightCall()
        const met = await outcomeOf(act, replaced(given, place.path, by) as readonly unknown[])
        const isThrown = isPromise && !met.isPromise
        const fault = isThrown ? 'thrown, where it should reject' : verdict(place, by, met.outcome)
        if (fault !== null) found.push(`${name}: ${place.path.join('.')} = ${shown(by)}: ${fault}`)
      }
  }
  return found
}

/**
 * Adds a member that nobody knows to each object of parameters of each call, and returns the calls that did not name it:
 * what was meant by it would be ignored.
 */
export async function unknownTaken(calls: Readonly<Record<string, RightCall>>): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, rightCall] of Object.entries(calls)) {
    const [, ...right] = rightCall()
    for (const [at, value] of right.entries()) {
      if (Object.getPrototypeOf(Object(value)) !== Object.prototype) continue
      const [act, ...given] = rightCall()
      const more = { ...Object(given[at]), zzz: 'q' }
      const { outcome } = await outcomeOf(
        act,
        given.map((one, place) => (place === at ? more : one)),
      )
      const isRefused = isOurs(outcome) && Reflect.get(outcome, 'code') === 'ARGUMENT_INVALID'
      if (!isRefused) found.push(`${name}: ${at}: ${String(outcome)}`)
    }
  }
  return found
}

/** The functions of an entry that no call is listed for. */
export const notListed = (entry: object, listed: object): readonly string[] =>
  Object.entries(entry)
    .filter(([name, value]) => typeof value === 'function' && !Object.hasOwn(listed, name))
    .map(([name]) => name)
    .sort()
