import type { JsonValue } from '../json.ts'
import { decodeWith, isWireObject, type Schema } from './record.ts'

/** A schema in the form of Standard Schema 1 (standardschema.dev), which form, router and RPC libraries accept. */
export type StandardSchema<T> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'hailstone'
    readonly validate: (value: unknown) => StandardResult<T>
    readonly types?: { readonly input: unknown; readonly output: T } | undefined
  }
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] }

/** Integers as the lossless reader returns them. Numbers above 2^53 - 1 stay: they may have been rounded. */
function asLossless(value: unknown): JsonValue | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (Array.isArray(value)) return value.map((item) => asLossless(item) ?? null)
  if (!isWireObject(value as JsonValue)) return value as JsonValue
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, asLossless(member)]),
  ) as JsonValue
}

/**
 * Returns the schema of a wire value as a Standard Schema. It accepts what `parseJson` or `JSON.parse` returned;
 * amounts above 2^53 - 1 that `JSON.parse` may have rounded are refused.
 *
 * @example
 * const result = toStandardSchema(heightEndpoint.answer)['~standard'].validate(JSON.parse(text))
 */
export const toStandardSchema = <T>(schema: Schema<T>): StandardSchema<T> => ({
  '~standard': {
    version: 1,
    vendor: 'hailstone',
    validate: (value) => {
      const decoded = decodeWith(schema, asLossless(value))
      if (decoded.ok) return { value: decoded.value }
      const { path, reason } = decoded.problem
      return { issues: [{ message: reason, path: path === '' ? [] : path.split('.') }] }
    },
  },
})
