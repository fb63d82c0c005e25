import * as z from 'zod'

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

const objectOf = (schema: z.ZodType): z.ZodObject | undefined => {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodObject) return bare
  if (!(bare instanceof z.ZodUnion)) return undefined
  return bare.options.map((option) => objectOf(option as z.ZodType)).find((found) => found !== undefined)
}

function step(schema: z.ZodType, part: PropertyKey): z.ZodType | undefined {
  const bare = unwrapped(schema)
  if (typeof part === 'number') return bare instanceof z.ZodArray ? (bare.element as z.ZodType) : undefined
  return objectOf(bare)?.shape[String(part)] as z.ZodType | undefined
}

/** Returns the schema at a path, without its optional wrapper; undefined outside of the schema. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  const found = path.reduce<z.ZodType | undefined>(
    (current, part) => (current === undefined ? undefined : step(current, part)),
    schema,
  )
  return found === undefined ? undefined : unwrapped(found)
}

/** Returns the range of a number, in words; undefined for other schemas. */
export function rangeAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const found = schemaAt(schema, path)
  return found instanceof z.ZodNumber
    ? `a whole number from ${found.minValue} to ${found.maxValue}`
    : undefined
}

/** Returns the allowed keys of an object schema; empty for other schemas. */
export const keysAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const found = schemaAt(schema, path)
  return found === undefined ? [] : Object.keys(objectOf(found)?.shape ?? {})
}

/** Returns every path that ends in a given key, outermost first. */
export function pathsOfKey(schema: z.ZodType, key: string, prefix = ''): readonly string[] {
  const shape = objectOf(schema)?.shape ?? {}
  const here = Object.hasOwn(shape, key) ? [`${prefix}${key}`] : []
  const below = Object.entries(shape).flatMap(([name, member]) =>
    pathsOfKey(member as z.ZodType, key, `${prefix}${name}.`),
  )
  return [...here, ...below]
}
