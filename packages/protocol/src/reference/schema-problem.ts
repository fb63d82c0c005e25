import type { WireSchema } from './leaf-forms.ts'

/** Keywords that do not restrict values. */
const silent = new Set(['description', 'examples', 'format', 'title'])

type Check = (value: unknown, rule: never, at: string, schema: WireSchema) => string | null

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return kindOf(value) === type
}

const first = (problems: Iterable<string | null>): string | null => {
  for (const problem of problems) if (problem !== null) return problem
  return null
}

const matches = (value: unknown, schemas: readonly WireSchema[], at: string): readonly WireSchema[] =>
  schemas.filter((schema) => schemaProblem(value, schema, at) === null)

const asObject = (value: unknown): Readonly<Record<string, unknown>> | null =>
  kindOf(value) === 'object' ? (value as Record<string, unknown>) : null

/**
 * Returns the first fault of an object's members. Members without a schema are faults, because every member must be
 * described.
 */
function propertiesProblem(value: unknown, schema: WireSchema, at: string): string | null {
  const object = asObject(value)
  if (object === null) return null
  const { properties = {}, additionalProperties: others } = schema
  return first(
    Object.entries(object).map(([name, member]) => {
      const described = Object.hasOwn(properties, name) ? properties[name] : others
      if (described === undefined || described === false) return `${at}.${name} is not described`
      return described === true ? null : schemaProblem(member, described, `${at}.${name}`)
    }),
  )
}

/** Supported keywords. Any other is a mistake in the document and throws. */
const checks: Readonly<Record<string, Check>> = {
  type: (value, type: string | readonly string[], at) =>
    [type].flat().some((one) => isOfType(value, one)) ? null : `${at} is ${kindOf(value)}, not ${type}`,
  enum: (value, values: readonly unknown[], at) =>
    values.includes(value) ? null : `${at} is none of ${values.join(', ')}`,
  const: (value, only: unknown, at) => (value === only ? null : `${at} is not ${String(only)}`),
  pattern: (value, pattern: string, at) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
      ? null
      : `${at} does not match ${pattern}`,
  minimum: (value, least: number, at) =>
    typeof value !== 'number' || value >= least ? null : `${at} is below ${least}`,
  maximum: (value, most: number, at) =>
    typeof value !== 'number' || value <= most ? null : `${at} is above ${most}`,
  required: (value, names: readonly string[], at) => {
    const object = asObject(value)
    const absent = object === null ? undefined : names.find((name) => !Object.hasOwn(object, name))
    return absent === undefined ? null : `${at}.${absent} is absent`
  },
  items: (value, schema: WireSchema, at) =>
    Array.isArray(value) ? first(value.map((item, n) => schemaProblem(item, schema, `${at}[${n}]`))) : null,
  properties: (value, _, at, schema) => propertiesProblem(value, schema, at),
  additionalProperties: (value, _, at, schema) =>
    schema.properties === undefined ? propertiesProblem(value, schema, at) : null,
  propertyNames: () => null,
  anyOf: (value, schemas: readonly WireSchema[], at) =>
    matches(value, schemas, at).length > 0 ? null : `${at} has none of its forms`,
  oneOf: (value, schemas: readonly WireSchema[], at) =>
    matches(value, schemas, at).length === 1 ? null : `${at} has not exactly one of its forms`,
}

/**
 * Returns the first mismatch of a JSON value with a schema; null if it fits.
 *
 * @throws {TypeError} if the schema uses an unknown keyword
 */
export function schemaProblem(value: unknown, schema: WireSchema, at = 'answer'): string | null {
  return first(
    Object.entries(schema).map(([keyword, rule]) => {
      if (silent.has(keyword)) return null
      const check = checks[keyword]
      if (check === undefined) throw new TypeError(`The keyword ${keyword} at ${at} is not known.`)
      return check(value, rule as never, at, schema)
    }),
  )
}
