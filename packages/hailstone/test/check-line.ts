import { linesSchema } from '../src/lines-schema.ts'

type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const typeOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}

/** What is wrong with a value, by the words of JSON Schema that the schema of lines uses. */
function faultsOf(value: unknown, schema: Schema, path: string): readonly string[] {
  const found = `${path} is ${JSON.stringify(value)}`
  const { type, anyOf, properties = {}, required = [] } = schema
  if (anyOf !== undefined) {
    const all = anyOf.map((one) => faultsOf(value, one, path))
    return all.find((faults) => faults.length === 0) ?? all.flat()
  }
  if (type !== undefined && !typeOf(value).some((one) => [type].flat().includes(one)))
    return [`${found}, no ${type}`]
  if ('const' in schema && value !== schema.const) return [`${found}, not ${schema.const}`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${found}, none of ${schema.enum}`]
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value)))
    return [`${found}, not ${schema.pattern}`]
  if (schema.minimum !== undefined && Number(value) < schema.minimum) return [`${found}, too small`]
  const missing = required
    .filter((name) => !(name in Object(value)))
    .map((name) => `${path}.${name} is missing`)
  const given = Object.entries(properties).filter(([name]) => name in Object(value))
  return [
    ...missing,
    ...given.flatMap(([name, of]) => faultsOf(Reflect.get(Object(value), name), of, `${path}.${name}`)),
  ]
}

const { oneOf } = linesSchema() as Required<Pick<Schema, 'oneOf'>>

/** Throws for a line about an event that is not as the schema of lines says. Other answers are no lines. */
export function checkLine(line: Readonly<Record<string, unknown>>): void {
  if (!('event' in line)) return
  const schema = oneOf.find(({ properties }) => properties?.event?.const === line.event)
  const faults = schema === undefined ? ['the schema does not have it'] : faultsOf(line, schema, '')
  if (faults.length > 0) throw new Error(`the line ${String(line.event)}: ${faults.join('; ')}`)
}
