import * as z from 'zod'
import { mergedSchema } from './brand-schema.ts'
import { patterns } from './leaves.ts'

/** One setting of a brand, as a form needs it. */
export type BrandSetting = {
  readonly path: string
  /** Its documentation, with the default. */
  readonly about: string
  /** `list`: texts. `data`: lists of objects, or one of several types. */
  readonly kind: 'text' | 'colour' | 'count' | 'flag' | 'choice' | 'list' | 'data'
  readonly choices: readonly string[]
}

type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly enum?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
}

/** Keys that a form does not show: for programs. */
const hidden = ['$schema', 'schema']

/** Returns every setting of the schema, in its order. */
export function brandSettings(): readonly BrandSetting[] {
  const { properties = {} } = z.toJSONSchema(mergedSchema, { io: 'input' }) as JsonSchema
  return Object.entries(properties).flatMap(([key, schema]) =>
    hidden.includes(key) ? [] : settingsBelow(schema, key, schema.description ?? ''),
  )
}

function settingsBelow(schema: JsonSchema, path: string, about: string): readonly BrandSetting[] {
  const { properties, anyOf } = schema
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([key, inner]) =>
      settingsBelow(inner, `${path}.${key}`, inner.description ?? about),
    )
  }
  const typed = anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only, ...more] = typed
  if (only !== undefined && more.length === 0) return settingsBelow(only, path, about)
  return [{ path, about, kind: kindOf(schema), choices: schema.enum ?? [] }]
}

function kindOf({ type, pattern, items, enum: choices }: JsonSchema): BrandSetting['kind'] {
  if (choices !== undefined) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'count'
  if (type === 'array') return items?.type === 'string' ? 'list' : 'data'
  if (type !== 'string') return 'data'
  return pattern === patterns.colour.source ? 'colour' : 'text'
}
