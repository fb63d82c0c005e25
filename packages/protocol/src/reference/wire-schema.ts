import type { Member, Schema, SchemaPart } from '../schema/record.ts'
import { leafForms, type WireSchema } from './leaf-forms.ts'

/**
 * Returns the JSON Schema of a schema's wire form. Leaves have forms of their own, because they accept more than this
 * network writes.
 */
export const wireSchema = (schema: Schema<unknown>): WireSchema => leafForms.get(schema) ?? partForm(schema)

function partForm({
  pattern,
  choice,
  words,
  optional,
  orNull,
  list,
  dictionary,
  either,
  record,
}: SchemaPart): WireSchema {
  if (pattern !== undefined) return { type: 'string', pattern: pattern.source }
  if (choice !== undefined) return { type: 'integer', enum: choice.map((_, at) => at) }
  if (words !== undefined) return wordsForm(words)
  if (optional !== undefined) return wireSchema(optional)
  if (orNull !== undefined) return nullableForm(wireSchema(orNull))
  if (list !== undefined) return { type: 'array', items: wireSchema(list) }
  if (dictionary !== undefined) {
    return {
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: wireSchema(dictionary),
    }
  }
  if (either !== undefined) return { anyOf: either.map(wireSchema) }
  return record === undefined ? {} : recordForm(record)
}

const nullableForm = (form: WireSchema): WireSchema =>
  form.type !== undefined && Object.keys(form).length === 1
    ? { type: [form.type, 'null'].flat() }
    : { anyOf: [form, { type: 'null' }] }

function wordsForm(words: readonly string[]): WireSchema {
  const [only, another] = words
  return another === undefined && only !== undefined
    ? { type: 'string', const: only }
    : { type: 'string', enum: words }
}

function recordForm(members: readonly Member[]): WireSchema {
  const required = members
    .filter(({ schema }) => schema.optional === undefined)
    .map(({ wireName }) => wireName)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ wireName, schema }) => [wireName, wireSchema(schema)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Returns the meaning of a member by path. */
type MeaningOf = (path: string) => string | undefined
/** Returns recorded values of a member by path. */
export type ExamplesOf = (path: string) => readonly unknown[] | undefined
type Tellers = { readonly meaningOf: MeaningOf; readonly examplesOf: ExamplesOf }

const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function membersDescribed(schema: WireSchema, tellers: Tellers, path: string): WireSchema {
  const { properties, items, additionalProperties: values, anyOf } = schema
  const members = Object.entries(properties ?? {}).map(([name, member]) => [
    name,
    described(member, tellers, memberPath(path, name)),
  ])
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(items === undefined ? {} : { items: described(items, tellers, `${path}[]`) }),
    ...(typeof values === 'object'
      ? { additionalProperties: described(values, tellers, memberPath(path, '*')) }
      : {}),
    ...(anyOf === undefined
      ? {}
      : { anyOf: anyOf.map((one) => membersDescribed(one, tellers, path + alternativeName(one, anyOf))) }),
  }
}

/**
 * Returns the path name of an alternative: objects that differ only in their `type` are kept apart, others share a
 * path.
 */
function alternativeName(one: WireSchema, all: readonly WireSchema[]): string {
  const wordOf = ({ properties }: WireSchema) => properties?.type?.const
  const isShown = all.filter((other) => wordOf(other) !== undefined).length > 1
  return isShown ? `(${String(wordOf(one))})` : ''
}

function described(schema: WireSchema, tellers: Tellers, path: string): WireSchema {
  const description = tellers.meaningOf(path)
  const examples = tellers.examplesOf(path)
  return {
    ...membersDescribed(schema, tellers, path),
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  }
}

/**
 * Adds descriptions to all members of a schema by path: members joined by dots, `[]` for the items of a list, `*` for
 * the values of a dictionary, a word in brackets for one of several shapes; `kblock.hash`, `mblocks[].tx_cnt`,
 * `[].token`,
 * `[](kblock).info[].n`.
 */
export const withMeanings = (
  schema: WireSchema,
  meaningOf: MeaningOf,
  examplesOf: ExamplesOf = () => undefined,
): WireSchema => membersDescribed(schema, { meaningOf, examplesOf }, '')

/**
 * Returns every path of a schema that needs a meaning. Lists of objects and of lists are described by their members.
 */
export function wirePaths(schema: WireSchema): readonly string[] {
  const paths: string[] = []
  withMeanings(schema, (path) => {
    paths.push(path)
    return undefined
  })
  return [...new Set(paths)].filter((path) => !path.endsWith('[]'))
}
