import type { WireSchema } from './page-data.ts'

/** One member of an answer or a body. */
export type Member = { readonly path: string; readonly kind: string; readonly meaning: string }

/** Describes a value in few words. */
function kindOf(schema: WireSchema): string {
  const { type, oneOf, anyOf, items, properties, additionalProperties } = schema
  if (schema.enum !== undefined) return schema.enum.map(String).join(' or ')
  if (schema.const !== undefined) return String(schema.const)
  const choices = oneOf ?? anyOf
  if (choices !== undefined) return [...new Set(choices.map(kindOf))].join(' or ')
  if (items !== undefined) return 'list'
  if (properties !== undefined || typeof additionalProperties === 'object') return 'object'
  const words = [type ?? 'any value'].flat().map((word) => (word === 'string' ? 'text' : word))
  return words.join(' or ')
}

/** Every member of a schema by its path: members joined by dots, `[]` for the items of a list, `*` for any name. */
export function membersOf(schema: WireSchema, path = ''): readonly Member[] {
  const { properties = {}, items, additionalProperties, oneOf, anyOf } = schema
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const own = (at: string, member: WireSchema): readonly Member[] => [
    { path: at, kind: kindOf(member), meaning: member.description ?? '' },
    ...membersOf(member, at),
  ]
  return [
    ...Object.entries(properties).flatMap(([name, member]) => own(below(name), member)),
    ...(items === undefined
      ? []
      : items.description === undefined
        ? membersOf(items, `${path}[]`)
        : own(`${path}[]`, items)),
    ...(typeof additionalProperties === 'object' ? own(below('*'), additionalProperties) : []),
    ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap((one) => membersOf(one, path)),
  ]
}
