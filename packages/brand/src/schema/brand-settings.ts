import * as z from 'zod'
import { maxPictureBytes } from '../checks/asset-rules.ts'
import { MAX_FONT_BYTES } from '../checks/theme-rules.ts'
import { mergedSchema } from './brand-schema.ts'
import { patterns } from './leaves.ts'

/** One setting of a brand, as a form needs it. */
export type BrandSetting = {
  readonly path: string
  /** Its documentation, with the default. */
  readonly about: string
  /**
   * `list`: texts. `picture`: the path of a file. `font`: one of the choices, or a family with files. `data`: lists of
   * objects, or one of several other types.
   */
  readonly kind: 'text' | 'colour' | 'count' | 'flag' | 'choice' | 'list' | 'picture' | 'font' | 'data'
  readonly choices: readonly string[]
  /** True if every brand needs it. */
  readonly isNeeded: boolean
  /** Size in bytes up to which a file of the setting is accepted; null if the setting names no file. */
  readonly maxBytes: number | null
}

type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
}

/** Keys that a form does not show: for programs. */
const hidden = ['$schema', 'schema']

/** Returns every setting of the schema, in its order. */
export function brandSettings(): readonly BrandSetting[] {
  const { properties = {}, required = [] } = z.toJSONSchema(mergedSchema, { io: 'input' }) as JsonSchema
  return Object.entries(properties).flatMap(([path, schema]) =>
    hidden.includes(path)
      ? []
      : settingsBelow(schema, { path, about: schema.description ?? '', isNeeded: required.includes(path) }),
  )
}

type Place = Pick<BrandSetting, 'path' | 'about' | 'isNeeded'>

function settingsBelow(schema: JsonSchema, place: Place): readonly BrandSetting[] {
  const { properties, required = [], anyOf } = schema
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([key, inner]) =>
      settingsBelow(inner, {
        path: `${place.path}.${key}`,
        about: inner.description ?? place.about,
        isNeeded: place.isNeeded && required.includes(key),
      }),
    )
  }
  const typed = anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only, ...more] = typed
  if (only !== undefined && more.length === 0) return settingsBelow(only, place)
  if (typed.some(isOwnFont)) {
    const choices = typed.flatMap((one) => one.enum ?? [])
    return [{ ...place, kind: 'font', choices, maxBytes: MAX_FONT_BYTES }]
  }
  const kind = kindOf(schema)
  const maxBytes = kind === 'picture' ? maxPictureBytes(place.path) : null
  return [{ ...place, kind, choices: schema.enum ?? [], maxBytes }]
}

const isOwnFont = ({ properties }: JsonSchema): boolean =>
  properties?.files?.items?.pattern === patterns.fontFile.source

function kindOf({ type, pattern, items, enum: choices }: JsonSchema): BrandSetting['kind'] {
  if (choices !== undefined) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'count'
  if (type === 'array') return items?.type === 'string' ? 'list' : 'data'
  if (type !== 'string') return 'data'
  if (pattern === patterns.picture.source) return 'picture'
  return pattern === patterns.colour.source ? 'colour' : 'text'
}
