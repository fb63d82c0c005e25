import * as z from 'zod/mini'
import type { Schema } from '../schema/record.ts'

/** JSON Schema (draft 2020-12), as far as answers use it. */
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
  readonly [keyword: string]: unknown
}

type Mutable = Record<string, unknown> & {
  anyOf?: Mutable[]
  pattern?: string
  type?: unknown
  const?: unknown
}

/** Units are a number or a text of digits, whatever their size (PROTOCOL 1.5); JSON Schema has its own words. */
function describeUnits(schema: Mutable): void {
  const text = schema.anyOf?.find(({ pattern }) => pattern?.includes('\\d{1,20}'))
  if (text === undefined) return
  const isSigned = text.pattern?.startsWith('^-?') === true
  delete schema.anyOf
  schema.oneOf = [
    isSigned ? { type: 'integer' } : { type: 'integer', format: 'uint64', minimum: 0 },
    { type: 'string', pattern: text.pattern },
  ]
}

function describeFlag(schema: Mutable): void {
  const values = schema.anyOf?.map((one) => one.const)
  if (values === undefined || !values.every((value) => value === 0 || value === 1)) return
  delete schema.anyOf
  schema.type = 'integer'
  schema.enum = values
}

/**
 * The wire form of a schema, that is the side of the network: bigint becomes `integer`, what a schema leaves
 * free stays free.
 */
export function wireSchema(schema: Schema<unknown>): WireSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer'
      describeUnits(jsonSchema as Mutable)
      describeFlag(jsonSchema as Mutable)
    },
  })
  return described as WireSchema
}

/** The meaning of a member by its path. */
type MeaningOf = (path: string) => string | undefined

const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function membersDescribed(schema: WireSchema, meaningOf: MeaningOf, path: string): WireSchema {
  const { properties, items, additionalProperties: values, anyOf } = schema
  const members = Object.entries(properties ?? {}).map(([name, member]) => [
    name,
    described(member, meaningOf, memberPath(path, name)),
  ])
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(items === undefined ? {} : { items: described(items, meaningOf, `${path}[]`) }),
    ...(typeof values === 'object'
      ? { additionalProperties: described(values, meaningOf, memberPath(path, '*')) }
      : {}),
    // The alternatives of a member are told together, at the member.
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => membersDescribed(one, meaningOf, path)) }),
  }
}

function described(schema: WireSchema, meaningOf: MeaningOf, path: string): WireSchema {
  const description = meaningOf(path)
  const members = membersDescribed(schema, meaningOf, path)
  return description === undefined ? members : { ...members, description }
}

/**
 * The schema with a description at every member, found by its path: members joined by dots, `[]` for the items of
 * a list, `*` for the values of a dictionary; `kblock.hash`, `mblocks[].tx_cnt`, `[].token`.
 */
export const withMeanings = (schema: WireSchema, meaningOf: MeaningOf): WireSchema =>
  membersDescribed(schema, meaningOf, '')

/** Every path of a schema that wants a meaning. Lists of objects and lists of lists are told by their members. */
export function wirePaths(schema: WireSchema): readonly string[] {
  const paths: string[] = []
  withMeanings(schema, (path) => {
    paths.push(path)
    return undefined
  })
  return [...new Set(paths)].filter((path) => !path.endsWith('[]'))
}
