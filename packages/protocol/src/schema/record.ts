import type { JsonValue } from '../json.ts'

/**
 * Parses a wire value (lossless JSON) and renames members. Written here instead of taken from a library, because
 * every page that mines contains it and this is a sixth of the size. Encoding follows from its part, in a file that
 * such pages do not contain.
 */
export type Schema<T> = SchemaPart & {
  /** Never throws; returns a mismatch. */
  read(wire: JsonValue | undefined): T | Mismatch
  /** Encodes the value, if that does not follow from the part. */
  write?(value: T): JsonValue | undefined
}

/** The type that a schema parses into. */
export type Value<S> = S extends Schema<infer T> ? T : never

/** What a schema is made of, for encoders and documentation: one of these, or none for some leaves. */
export type SchemaPart = {
  readonly pattern?: RegExp
  readonly choice?: readonly unknown[]
  readonly words?: readonly string[]
  readonly optional?: Schema<unknown>
  readonly orNull?: Schema<unknown>
  readonly list?: Schema<unknown>
  readonly dictionary?: Schema<unknown>
  readonly either?: readonly Schema<unknown>[]
  readonly record?: readonly Member[]
}

export type Member = { readonly name: string; readonly wireName: string; readonly schema: Schema<unknown> }

/** A place in a wire value that does not match its schema. */
export class Mismatch {
  declare readonly found: JsonValue | undefined
  declare readonly expected: string
  declare readonly path: readonly string[]

  constructor(found: JsonValue | undefined, expected: string, path: readonly string[] = []) {
    this.found = found
    this.expected = expected
    this.path = path
  }

  /** Returns the mismatch with the name of the enclosing member or index added to its path. */
  under(name: string | number): Mismatch {
    return new Mismatch(this.found, this.expected, [String(name), ...this.path])
  }
}

/** A member by its own name, or `[name on the wire, schema]`. */
type Field = Schema<unknown> | readonly [wireName: string, schema: Schema<unknown>]

type SchemaOf<F extends Field> = F extends readonly [string, infer S]
  ? S
  : F extends Schema<unknown>
    ? F
    : never

type ValueOf<F extends Field> = Value<SchemaOf<F>>

type Fields = Readonly<Record<string, Field>>

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never
}[keyof F]

/** The record under our names: readonly, and optional where the wire may omit a member. */
export type RecordOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>
} & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> }

type WireObject = { readonly [name: string]: JsonValue | undefined }

/** True if a JSON value is an object, and not a list or null. */
export const isWireObject = (wire: JsonValue | undefined): wire is WireObject =>
  typeof wire === 'object' && wire !== null && !Array.isArray(wire)

/**
 * An object of the wire under our names. Unknown members are dropped; members are written in the order of their
 * definition.
 */
// @__NO_SIDE_EFFECTS__
export function record<const F extends Fields>(fields: F): Schema<RecordOf<F>> {
  const members = Object.entries(fields).map(([name, field]): Member => {
    const [wireName, schema] = Array.isArray(field) ? field : [name, field]
    return { name, wireName, schema }
  })
  return {
    record: members,
    read: (wire) => {
      if (!isWireObject(wire)) return new Mismatch(wire, 'an object')
      const values: Record<string, unknown> = {}
      for (const { name, wireName, schema } of members) {
        // Own members only, never inherited ones.
        const value = schema.read(Object.hasOwn(wire, wireName) ? wire[wireName] : undefined)
        if (value instanceof Mismatch) return value.under(wireName)
        if (value !== undefined) values[name] = value
      }
      return values as RecordOf<F>
    },
  }
}

/** Path of a mismatch in the answer, and its reason. */
export type SchemaProblem = { readonly path: string; readonly reason: string }

/** A parsed value, or the place and kind of the mismatch. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SchemaProblem }

/** Parses a wire value. A mismatch is returned with its path, never thrown. */
export function decodeWith<T>(schema: Schema<T>, wire: JsonValue | undefined): Decoded<T> {
  const value = schema.read(wire)
  if (!(value instanceof Mismatch)) return { ok: true, value }
  const path = value.path.join('.')
  return { ok: false, problem: { path, reason: describe(value, path) } }
}

function describe({ found, expected }: Mismatch, path: string): string {
  const kind = found === null ? 'null' : Array.isArray(found) ? 'a list' : typeof found
  const what = found === undefined ? 'absent' : `of type ${kind}`
  return `${path || 'the value'} is ${what} where ${expected} was expected`
}
