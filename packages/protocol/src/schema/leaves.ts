import * as z from 'zod/mini'
import type { TransactionStatus } from '../transaction.ts'
import type { Address } from '../values/address.ts'
import { type Amount, MAX_AMOUNT } from '../values/amount.ts'
import type { Hash } from '../values/hash.ts'
import type { Signature } from '../values/signature.ts'
import type { TokenId } from '../values/token-id.ts'
import type { Schema } from './record.ts'

const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const digits = z.string().check(z.regex(/^\d{1,20}$/))
const signedDigits = z.string().check(z.regex(/^-?\d{1,20}$/))
const anyInteger = z.union([z.bigint(), digits])
const inRange = z.refine<bigint>((value) => value >= 0n && value <= MAX_AMOUNT)

const typed = <T>(schema: unknown): Schema<T> => schema as Schema<T>

/**
 * Units as the database of the network prints them: a JSON number up to 2^53-1, a text of digits above.
 * Both forms, and bare numbers of any size, are read (PROTOCOL 1.5).
 */
export const amount: Schema<Amount> = typed(
  z.codec(anyInteger, z.bigint().check(inRange), {
    decode: (wire) => BigInt(wire),
    encode: (units) => (units <= LARGEST_SAFE ? units : units.toString()),
  }),
)

/** Units that the network always prints as a bare number, whatever their size. */
export const bareAmount: Schema<Amount> = typed(
  z.codec(anyInteger, z.bigint().check(inRange), {
    decode: (wire) => BigInt(wire),
    encode: (units) => units,
  }),
)

/** Units that the network always prints as text. */
export const textAmount: Schema<Amount> = typed(
  z.codec(anyInteger, z.bigint().check(inRange), {
    decode: (wire) => BigInt(wire),
    encode: (units) => units.toString(),
  }),
)

/** A difference of units, always printed as text; negative for a rejected payment below its fee. */
export const textDifference: Schema<bigint> = typed(
  z.codec(z.union([z.bigint(), signedDigits]), z.bigint(), {
    decode: (wire) => BigInt(wire),
    encode: (units) => units.toString(),
  }),
)

/** A net amount in a history: text when it was computed, in the database's form when it was not. */
export const netAmount: Schema<NetAmount> = typed(
  z.codec(z.union([z.bigint(), signedDigits]), z.custom<NetAmount>(), {
    decode: (wire) => ({ units: BigInt(wire), isComputed: typeof wire === 'string' }),
    encode: ({ units, isComputed }) => (isComputed || units > LARGEST_SAFE ? units.toString() : units),
  }),
)

/** Units and whether the fee was taken off; it is not for a token that the network does not know. */
export type NetAmount = { readonly units: bigint; readonly isComputed: boolean }

/** A number that is small by nature: a count, a height, seconds. Refused, not rounded, when it is not. */
export const count: Schema<number> = typed(
  z.codec(
    z.bigint().check(z.refine((value) => value >= -LARGEST_SAFE && value <= LARGEST_SAFE)),
    z.number().check(z.refine(Number.isSafeInteger)),
    { decode: Number, encode: BigInt },
  ),
)

/** A number that may have a fraction: a price, a degree, a percentage. */
export const decimal: Schema<number> = typed(
  z.codec(z.union([z.number(), z.bigint()]), z.number(), {
    decode: Number,
    encode: (value) => (Number.isSafeInteger(value) ? BigInt(value) : value),
  }),
)

/** 0 or 1 on the wire. */
export const flag: Schema<boolean> = typed(
  z.codec(z.union([z.literal(0n), z.literal(1n)]), z.boolean(), {
    decode: (wire) => wire === 1n,
    encode: (value) => (value ? 1n : 0n),
  }),
)

export const text: Schema<string> = z.string()

export const address: Schema<Address> = typed(z.string().check(z.regex(/^0[23][0-9a-fA-F]{64}$/)))

/** A hash, or the text name of an origin block. */
export const hash: Schema<Hash> = typed(z.string().check(z.regex(/^(?:[0-9a-fA-F]{64}|[A-Z0-9_]{1,32})$/)))

/** Either letter case: a transaction may name a token in capitals, which matches none. */
export const tokenId: Schema<TokenId> = typed(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)))

export const signature: Schema<Signature> = typed(z.string().check(z.regex(/^[0-9a-fA-F]*$/)))

/** The owner of a row: an account, or the 64-digit id of a proof-of-stake pool. */
export const accountId: Schema<string> = typed(z.string().check(z.regex(/^[0-9a-fA-F]{64,66}$/)))

const statuses: readonly TransactionStatus[] = ['pending', 'duplicate', 'rejected', 'confirmed']

/** 0 pending, 1 duplicate, 2 rejected, 3 confirmed. */
export const status: Schema<TransactionStatus> = typed(
  z.codec(
    z.bigint().check(z.refine((value) => value >= 0n && value <= 3n)),
    z.enum(statuses as [TransactionStatus]),
    {
      decode: (wire) => statuses[Number(wire)] as TransactionStatus,
      encode: (value) => BigInt(statuses.indexOf(value)),
    },
  ),
)

/** Fee types 0, 1 and 2. */
export const feeType: Schema<0 | 1 | 2> = typed(
  z.codec(z.bigint().check(z.refine((value) => value >= 0n && value <= 2n)), z.number(), {
    decode: Number,
    encode: BigInt,
  }),
)

export const orNull = <T>(schema: Schema<T>): Schema<T | null> => typed(z.nullable(schema))
export const optional = <T>(schema: Schema<T>): Schema<T | undefined> => typed(z.optional(schema))
export const list = <T>(schema: Schema<T>): Schema<readonly T[]> => typed(z.array(schema))
export const yesOrNo: Schema<boolean> = z.boolean()
export const nothing: Schema<null> = typed(z.null())
/** A figure as its operator keeps it: integers exact, other numbers as doubles, or text. */
export const figure: Schema<bigint | number | string> = z.union([z.bigint(), z.number(), z.string()])
/** Free members, kept as they are. */
export const anything: Schema<unknown> = typed(z.unknown())
export const dictionary = <T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> =>
  typed(z.record(z.string(), schema))
/** One of several shapes, told apart by what only one of them allows. */
export const either = <T>(...schemas: readonly [Schema<T>, Schema<T>, ...Schema<T>[]]): Schema<T> =>
  typed(z.union(schemas))
export const only = <const T extends string>(...words: readonly [T, ...T[]]): Schema<T> =>
  typed(z.literal([...words]))

/** An integer of the wire in either form, canonical: no sign, no leading zeros. Its text takes part in hashes. */
export const canonicalInteger: Schema<bigint> = typed(
  z.codec(
    z.union([z.bigint().check(inRange), z.string().check(z.regex(/^(?:0|[1-9]\d{0,19})$/))]),
    z.bigint().check(inRange),
    { decode: (wire) => BigInt(wire), encode: (units) => units.toString() },
  ),
)
