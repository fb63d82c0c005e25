import type { JsonValue } from '../json.ts'
import * as leaves from './leaves.ts'
import { type Member, Mismatch, type Schema, type Value } from './record.ts'

type Wire = JsonValue | undefined
/** Throws if the value does not have its type. */
type Write = (value: unknown) => Wire

/** Units as the network's database prints them. */
const inDatabase = (units: bigint): Wire => (units <= Number.MAX_SAFE_INTEGER ? units : units.toString())
const asText = (units: bigint): Wire => units.toString()

type LeafWrite = (value: never) => Wire

/** Names of the schemas that are not made of others. */
export type LeafName = {
  [N in keyof typeof leaves]: (typeof leaves)[N] extends { readonly read: unknown } ? N : never
}[keyof typeof leaves]

type WrittenAsRead =
  | ('bareAmount' | 'text' | 'symbol' | 'address' | 'hash' | 'tokenId' | 'signature' | 'accountId')
  | ('yesOrNo' | 'nothing' | 'figure' | 'anything')
/** Written as the position of the value in the list of choices. */
type WrittenAsChoice = 'flag' | 'decimals' | 'status' | 'feeType'

/**
 * Writers of the leaves whose written form differs from what they parse into. A leaf that is neither here nor in the
 * types above does not compile.
 */
const leafWriters: {
  readonly [N in Exclude<LeafName, WrittenAsRead | WrittenAsChoice>]: readonly [
    schema: (typeof leaves)[N],
    write: (value: Value<(typeof leaves)[N]>) => Wire,
  ]
} = {
  amount: [leaves.amount, inDatabase],
  textAmount: [leaves.textAmount, asText],
  textDifference: [leaves.textDifference, asText],
  canonicalInteger: [leaves.canonicalInteger, asText],
  netAmount: [leaves.netAmount, ({ units, isComputed }) => (isComputed ? asText(units) : inDatabase(units))],
  count: [leaves.count, (value) => BigInt(value)],
  decimal: [leaves.decimal, (value) => (Number.isSafeInteger(value) ? BigInt(value) : value)],
}
const leafWrites: ReadonlyMap<unknown, LeafWrite> = new Map<unknown, LeafWrite>(Object.values(leafWriters))

/** Verifies that the written form parses into the same value. */
function leafWriter(schema: Schema<unknown>, write: LeafWrite = (value) => value): Write {
  return (value) => {
    const wire = write(value as never)
    const again = schema.read(wire)
    if (again instanceof Mismatch) throw new TypeError(`A value that is written is not ${again.expected}.`)
    if (typeof value !== 'object' && again !== value) {
      throw new TypeError('A value that is written would be read as another.')
    }
    return wire
  }
}

/** Passes null or undefined through. */
const unless =
  (absent: null | undefined, write: Write): Write =>
  (value) =>
    value === absent ? absent : write(value)

const listWriter =
  (write: Write): Write =>
  (values) =>
    (values as readonly unknown[]).map((value) => write(value) as JsonValue)

const dictionaryWriter =
  (write: Write): Write =>
  (values) =>
    Object.fromEntries(Object.entries(values as object).map(([name, value]) => [name, write(value)]))

function eitherWriter(writes: readonly Write[]): Write {
  return (value) => {
    for (const write of writes) {
      try {
        return write(value)
      } catch {
        // Not this alternative.
      }
    }
    throw new TypeError('A value that is written has none of its forms.')
  }
}

/** Writes members in the order of their definition. */
function recordWriter(members: readonly Member[]): Write {
  const writes = members.map(({ name, wireName, schema }) => ({ name, wireName, write: writerOf(schema) }))
  return (value) => {
    const wire: Record<string, JsonValue> = {}
    for (const { name, wireName, write } of writes) {
      const member = write((value as Readonly<Record<string, unknown>>)[name])
      if (member !== undefined) wire[wireName] = member
    }
    return wire
  }
}

function newWriter(schema: Schema<unknown>): Write {
  const { choice, orNull, optional, list, dictionary, either, record } = schema
  if (schema.write !== undefined) return schema.write
  if (choice !== undefined) return leafWriter(schema, (value) => BigInt(choice.indexOf(value)))
  if (orNull !== undefined) return unless(null, writerOf(orNull))
  if (optional !== undefined) return unless(undefined, writerOf(optional))
  if (list !== undefined) return listWriter(writerOf(list))
  if (dictionary !== undefined) return dictionaryWriter(writerOf(dictionary))
  if (either !== undefined) return eitherWriter(either.map(writerOf))
  if (record !== undefined) return recordWriter(record)
  return leafWriter(schema, leafWrites.get(schema))
}

const writers = new WeakMap<Schema<unknown>, Write>()

function writerOf(schema: Schema<unknown>): Write {
  const writer = writers.get(schema) ?? newWriter(schema)
  writers.set(schema, writer)
  return writer
}

/** Encodes a value as wire JSON. Throws only if the value does not have its type. */
export const encodeWith = <T>(schema: Schema<T>, value: T): JsonValue =>
  writerOf(schema as Schema<unknown>)(value) as JsonValue
