import * as z from 'zod'
import { mergedSchema } from './brand-schema.ts'

type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
}

const HEADER = `// biome-ignore-all format: printed
// Printed from the schema by print-brand-types.ts; change the schema and run the tests with -u.

`

/** Prints the TypeScript type of a brand file with a docstring for every member. */
export function printBrandTypes(): string {
  const schema = z.toJSONSchema(mergedSchema, { io: 'input' }) as JsonSchema
  const about = '/** A brand as partners write it, without its environments. */\n'
  return `${HEADER}${about}export type BrandBase = ${printed(schema, '')}\n`
}

function printed(schema: JsonSchema, indent: string): string {
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((choice) => printed(choice, indent)).join(' | ')
  if (schema.type === 'array') return `readonly ${grouped(printed(schema.items ?? {}, indent))}[]`
  if (schema.type === 'object') return printedObject(schema, indent)
  return schema.type === 'integer' ? 'number' : String(schema.type)
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const grouped = (type: string): string => (type.includes(' | ') ? `(${type})` : type)

function printedObject(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(([key, member]) => {
    const isRequired = schema.required?.includes(key) ?? false
    const type = printed(member, inner)
    const doc = member.description === undefined ? '' : `${inner}/** ${member.description} */\n`
    return `${doc}${inner}readonly ${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}
