import type { LeafName } from '../schema/encode-with.ts'
import * as leaves from '../schema/leaves.ts'
import type { Schema } from '../schema/record.ts'

/** JSON Schema (draft 2020-12), the part that answers use. */
export type WireSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, WireSchema>>
  readonly required?: readonly string[]
  readonly items?: WireSchema
  readonly additionalProperties?: WireSchema | boolean
  readonly anyOf?: readonly WireSchema[]
  readonly oneOf?: readonly WireSchema[]
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

const UNSIGNED = '^(?:0|[1-9]\\d{0,19})$'
const SIGNED = '^-?(?:0|[1-9]\\d{0,19})$'

/** Units as the database of the network prints them (PROTOCOL 1.5). */
const units: WireSchema = {
  oneOf: [
    { type: 'integer', format: 'uint64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[1-9]\\d{15,19}$' },
  ],
}

const small: WireSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** Described by its pattern or its choices; `anything` has no form, and `canonicalInteger` is in no answer. */
type DescribedElsewhere =
  | ('address' | 'hash' | 'tokenId' | 'signature' | 'accountId')
  | ('flag' | 'status' | 'feeType')
  | ('anything' | 'canonicalInteger')

/**
 * The form in which a local network writes each leaf. The schemas accept more, because other servers and older
 * versions differ. A leaf that is neither here nor in the type above does not compile.
 */
const formsByName: {
  readonly [N in Exclude<LeafName, DescribedElsewhere>]: readonly [
    schema: (typeof leaves)[N],
    form: WireSchema,
  ]
} = {
  amount: [leaves.amount, units],
  bareAmount: [leaves.bareAmount, { type: 'integer', format: 'uint64', minimum: 0 }],
  textAmount: [leaves.textAmount, { type: 'string', pattern: UNSIGNED }],
  textDifference: [leaves.textDifference, { type: 'string', pattern: SIGNED }],
  netAmount: [
    leaves.netAmount,
    {
      oneOf: [
        { type: 'integer', format: 'uint64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', pattern: SIGNED },
      ],
    },
  ],
  count: [leaves.count, small],
  decimals: [leaves.decimals, { ...small, maximum: 10 }],
  decimal: [leaves.decimal, { type: 'number', format: 'double' }],
  text: [leaves.text, { type: 'string' }],
  symbol: [leaves.symbol, { type: 'string' }],
  yesOrNo: [leaves.yesOrNo, { type: 'boolean' }],
  nothing: [leaves.nothing, { type: 'null' }],
  figure: [leaves.figure, { type: ['integer', 'number', 'string'] }],
}

export const leafForms: ReadonlyMap<Schema<unknown>, WireSchema> = new Map<Schema<unknown>, WireSchema>(
  Object.values(formsByName),
)
