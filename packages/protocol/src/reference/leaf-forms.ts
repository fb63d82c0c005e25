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

/**
 * The form in which a local network writes each leaf. The schemas accept more, because other servers and older
 * versions differ.
 */
export const leafForms: ReadonlyMap<Schema<unknown>, WireSchema> = new Map<Schema<unknown>, WireSchema>([
  [leaves.amount, units],
  [leaves.bareAmount, { type: 'integer', format: 'uint64', minimum: 0 }],
  [leaves.textAmount, { type: 'string', pattern: UNSIGNED }],
  [leaves.textDifference, { type: 'string', pattern: SIGNED }],
  [
    leaves.netAmount,
    {
      oneOf: [
        { type: 'integer', format: 'uint64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', pattern: SIGNED },
      ],
    },
  ],
  [leaves.count, small],
  [leaves.decimals, { ...small, maximum: 10 }],
  [leaves.decimal, { type: 'number', format: 'double' }],
  [leaves.text, { type: 'string' }],
  [leaves.symbol, { type: 'string' }],
  [leaves.yesOrNo, { type: 'boolean' }],
  [leaves.nothing, { type: 'null' }],
  [leaves.figure, { type: ['integer', 'number', 'string'] }],
])
