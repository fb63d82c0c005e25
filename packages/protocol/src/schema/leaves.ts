import type { JsonValue } from '../json.ts'
import type { TransactionStatus } from '../transaction.ts'
import type { Address } from '../values/address.ts'
import { type Amount, isAmount } from '../values/amount.ts'
import type { Hash } from '../values/hash.ts'
import { plainText } from '../values/plain-text.ts'
import type { Signature } from '../values/signature.ts'
import type { TokenId } from '../values/token-id.ts'
import { isWireObject, Mismatch, type Schema, type SchemaPart } from './record.ts'

type Wire = JsonValue | undefined

/**
 * Creates the schema of a single value.
 *
 * @param expected names it in problems: "where {expected} was expected"
 * @param parse returns undefined for values that do not match
 */
// @__NO_SIDE_EFFECTS__
const leaf = <T>(expected: string, parse: (wire: Wire) => T | undefined, part?: SchemaPart): Schema<T> => ({
  ...part,
  read: (wire) => parse(wire) ?? new Mismatch(wire, expected),
})

// @__NO_SIDE_EFFECTS__
const textLeaf = <T>(expected: string, pattern?: RegExp): Schema<T> =>
  leaf(
    expected,
    (wire) => (typeof wire === 'string' && pattern?.test(wire) !== false ? (wire as T) : undefined),
    pattern && { pattern },
  )

/** Parses an integer, as a number of any size or as text. */
const integerIn = (wire: Wire, digits: RegExp): bigint | undefined => {
  if (typeof wire === 'bigint') return wire
  return typeof wire === 'string' && digits.test(wire) ? BigInt(wire) : undefined
}

const inRange = (units: bigint | undefined): Amount | undefined => (isAmount(units) ? units : undefined)

const unitsIn = (wire: Wire): Amount | undefined => inRange(integerIn(wire, /^\d{1,20}$/))
const differenceIn = (wire: Wire): bigint | undefined =>
  integerIn(typeof wire === 'bigint' ? wire.toString() : wire, /^-?\d{1,20}$/)

/**
 * Units as the network's database prints them: a JSON number up to 2^53-1, a text of digits above. Both forms, and
 * bare numbers of any size, are accepted (PROTOCOL 1.5).
 */
export const amount: Schema<Amount> = leaf('an amount', unitsIn)

/** Units that the network always prints as a bare number of any size. */
export const bareAmount: Schema<Amount> = leaf('an amount', unitsIn)

/** Units that the network always prints as text. */
export const textAmount: Schema<Amount> = leaf('an amount', unitsIn)

/** A difference of units, always printed as text; negative for a rejected payment below its fee. */
export const textDifference: Schema<bigint> = leaf('an integer', differenceIn)

/** A net amount in a history: text if it was computed, else in the database's form. */
export const netAmount: Schema<NetAmount> = leaf('an integer', (wire) => {
  const units = differenceIn(wire)
  return units === undefined ? undefined : { units, isComputed: typeof wire === 'string' }
})

/** `isComputed` is true if the fee was subtracted; it is not for an unknown token. */
export type NetAmount = { readonly units: bigint; readonly isComputed: boolean }

/** A small integer with a fixed set of values. */
// @__NO_SIDE_EFFECTS__
const choice = <T>(expected: string, values: readonly T[]): Schema<T> =>
  leaf(expected, (wire) => (typeof wire === 'bigint' ? values[Number(wire)] : undefined), { choice: values })

/** A number that is small by nature: a count, a height, seconds. Larger ones are refused, not rounded. */
export const count: Schema<number> = leaf('a whole number below 2^53', (wire) => {
  const value = typeof wire === 'bigint' ? Number(wire) : undefined
  return Number.isSafeInteger(value) ? value : undefined
})

/** Decimals of a token: the network allows 0 to 10 (PROTOCOL 1.4). */
export const decimals: Schema<number> = choice('0 to 10', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

/** A number with a possible fraction: a price, a degree, a percentage. */
export const decimal: Schema<number> = leaf('a number', (wire) => {
  const value = typeof wire === 'bigint' ? Number(wire) : wire
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
})

/** 0 or 1 on the wire. */
export const flag: Schema<boolean> = choice('0 or 1', [false, true])

/** Schema of a text. */
export const text: Schema<string> = textLeaf('a text')

/** Longest accepted symbol in characters; those of the network have 1 to 6 capital letters. */
const SYMBOL_CHARACTERS = 32

/**
 * The symbol of a token, which anybody can choose and people see beside amounts. It is cut after 32 characters, and
 * invisible or deceptive characters become `�`.
 */
export const symbol: Schema<string> = leaf('a text', (wire) =>
  typeof wire === 'string' ? plainText(wire.slice(0, SYMBOL_CHARACTERS)) : undefined,
)

/** A compressed public key: 66 hexadecimal digits that begin with 02 or 03. */
export const address: Schema<Address> = textLeaf('an address', /^0[23][0-9a-fA-F]{64}$/)

/** A hash, or the text name of an origin block. */
export const hash: Schema<Hash> = textLeaf('a hash', /^(?:[0-9a-fA-F]{64}|[A-Z0-9_]{1,32})$/)

/** A token id in either letter case: a transaction may name one in capitals, which matches no token. */
export const tokenId: Schema<TokenId> = textLeaf('a token id', /^[0-9a-fA-F]{64}$/)

/** A signature in hexadecimal digits of any length. Its encoding is checked where it is verified. */
export const signature: Schema<Signature> = textLeaf('a signature in hex', /^[0-9a-fA-F]*$/)

/** Owner of a row: an account, or the 64-digit id of a stake pool. */
export const accountId: Schema<string> = textLeaf('an account', /^[0-9a-fA-F]{64,66}$/)

/** 0 pending, 1 duplicate, 2 rejected, 3 confirmed. */
export const status: Schema<TransactionStatus> = choice('0, 1, 2 or 3', [
  'pending',
  'duplicate',
  'rejected',
  'confirmed',
])

/** Fee types 0, 1 and 2. */
export const feeType: Schema<0 | 1 | 2> = choice('0, 1 or 2', [0, 1, 2])

/** Schema of a value that may be null. */
// @__NO_SIDE_EFFECTS__
export const orNull = <T>(schema: Schema<T>): Schema<T | null> => ({
  orNull: schema,
  read: (wire) => (wire === null ? null : schema.read(wire)),
})

/** Schema of a member that may be missing. */
// @__NO_SIDE_EFFECTS__
export const optional = <T>(schema: Schema<T>): Schema<T | undefined> => ({
  optional: schema,
  read: (wire) => (wire === undefined ? undefined : schema.read(wire)),
})

/** Schema of a list of one kind of value. */
// @__NO_SIDE_EFFECTS__
export const list = <T>(schema: Schema<T>): Schema<readonly T[]> => ({
  list: schema,
  read: (wire) => {
    if (!Array.isArray(wire)) return new Mismatch(wire, 'a list')
    const values: T[] = []
    for (const item of wire) {
      const value = schema.read(item)
      if (value instanceof Mismatch) return value.under(values.length)
      values.push(value)
    }
    return values
  },
})

/** Schema of a boolean. */
export const yesOrNo: Schema<boolean> = leaf('true or false', (wire) =>
  typeof wire === 'boolean' ? wire : undefined,
)

/** Schema of `null`. */
export const nothing: Schema<null> = { read: (wire) => (wire === null ? wire : new Mismatch(wire, 'null')) }

/** A figure of the operator: integers exact, other numbers as doubles, or text. */
export const figure: Schema<bigint | number | string> = leaf('a number or a text', (wire) =>
  typeof wire === 'bigint' || typeof wire === 'string' || Number.isFinite(wire)
    ? (wire as bigint | number | string)
    : undefined,
)

/** Any value, unchanged. */
export const anything: Schema<unknown> = { read: (wire) => wire }

/** An object whose members share one schema; a member named `__proto__` is dropped. */
// @__NO_SIDE_EFFECTS__
export const dictionary = <T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> => ({
  dictionary: schema,
  read: (wire) => {
    if (!isWireObject(wire)) return new Mismatch(wire, 'an object')
    const values: Record<string, T> = {}
    for (const [name, member] of Object.entries(wire)) {
      if (name === '__proto__') continue
      const value = schema.read(member)
      if (value instanceof Mismatch) return value.under(name)
      values[name] = value
    }
    return values
  },
})

/** One of several shapes; the first that accepts the value wins. */
// @__NO_SIDE_EFFECTS__
export const either = <T>(...schemas: readonly [Schema<T>, Schema<T>, ...Schema<T>[]]): Schema<T> => ({
  either: schemas,
  read: (wire) => {
    for (const schema of schemas) {
      const value = schema.read(wire)
      if (!(value instanceof Mismatch)) return value
    }
    return new Mismatch(wire, 'one of several forms')
  },
})

/** Schema of a text that is one of the given words. */
// @__NO_SIDE_EFFECTS__
export const only = <const T extends string>(...words: readonly [T, ...T[]]): Schema<T> =>
  leaf(words.join(' or '), (wire) => words.find((word) => word === wire), { words })

/** A canonical integer in either wire form: no sign, no leading zeros. Its text is part of hashes. */
export const canonicalInteger: Schema<bigint> = leaf('a whole number of 64 bits', (wire) =>
  inRange(integerIn(wire, /^(?:0|[1-9]\d{0,19})$/)),
)
