import * as z from 'zod/mini'
import type { JsonValue } from '../json.ts'

/** Reads a value from the wire (lossless JSON) and writes it back; the names change on the way. */
export type Schema<T> = z.ZodMiniType<T, unknown>

/** What a schema reads into. */
export type Value<S> = S extends z.ZodMiniType<infer T, unknown> ? T : never

/** A member by its own name, or `[name on the wire, schema]`. */
type Field = z.ZodMiniType | readonly [wireName: string, schema: z.ZodMiniType]

type SchemaOf<F extends Field> = F extends readonly [string, infer S extends z.ZodMiniType]
  ? S
  : F extends z.ZodMiniType
    ? F
    : never

type ValueOf<F extends Field> = z.output<SchemaOf<F>>

type Fields = Readonly<Record<string, Field>>

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never
}[keyof F]

/** The record as the code sees it: our names, readonly, optional where the wire may leave a member out. */
export type RecordOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>
} & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> }

type WireObject = Record<string, unknown>

function renamed(from: WireObject, names: ReadonlyArray<readonly [from: string, to: string]>): WireObject {
  const to: WireObject = {}
  for (const [oldName, newName] of names) if (from[oldName] !== undefined) to[newName] = from[oldName]
  return to
}

/**
 * An object of the wire under our names. Unknown members are dropped; members keep their order of
 * definition when they are written.
 */
export function record<const F extends Fields>(fields: F): Schema<RecordOf<F>> {
  const names: [ours: string, wire: string][] = []
  const shape: Record<string, z.ZodMiniType> = {}
  for (const [ours, field] of Object.entries(fields)) {
    const [wire, schema] = Array.isArray(field)
      ? (field as [string, z.ZodMiniType])
      : [ours, field as z.ZodMiniType]
    names.push([ours, wire])
    shape[wire] = schema
  }
  const back = names.map(([ours, wire]) => [wire, ours] as const)
  return z.codec(z.object(shape), z.custom<RecordOf<F>>(), {
    decode: (wire) => renamed(wire, back) as RecordOf<F>,
    encode: (value) => renamed(value as WireObject, names),
  }) as unknown as Schema<RecordOf<F>>
}

/** Where in the answer something was wrong, and what. */
export type SchemaProblem = { readonly path: string; readonly reason: string }

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SchemaProblem }

/** Reads a wire value; a mismatch is returned with its path, never thrown. */
export function decodeWith<T>(schema: Schema<T>, wire: JsonValue | undefined): Decoded<T> {
  const result = z.safeDecode(schema, wire)
  if (result.success) return { ok: true, value: result.data }
  const [issue] = result.error.issues
  return {
    ok: false,
    problem: { path: issue?.path.map(String).join('.') ?? '', reason: describe(issue, wire) },
  }
}

function describe(issue: z.core.$ZodIssue | undefined, wire: JsonValue | undefined): string {
  if (issue === undefined) return 'it does not match'
  const place = issue.path.length === 0 ? 'the value' : issue.path.map(String).join('.')
  const found = issue.path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as WireObject)[String(key)] : undefined,
    wire,
  )
  const kind = found === null ? 'null' : Array.isArray(found) ? 'a list' : typeof found
  const expected =
    issue.code === 'invalid_type'
      ? ` where ${issue.expected} was expected`
      : ` that breaks the rule (${issue.code})`
  return `${place} is ${found === undefined ? 'absent' : `of type ${kind}`}${expected}`
}

/** Writes a value as wire JSON. Throws only when the value is not of its type. */
export const encodeWith = <T>(schema: Schema<T>, value: T): JsonValue => z.encode(schema, value) as JsonValue
