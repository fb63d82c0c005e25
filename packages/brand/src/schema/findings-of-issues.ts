import { nearestWord } from '@hailstone/runtime'
import type * as z from 'zod'
import { type FindingName, isFindingName } from '../findings/codes.ts'
import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'
import { mergedSchema } from './brand-schema.ts'
import { languageFix } from './language-fix.ts'
import { keysAt, pathsOfKey, rangeAt, schemaAt } from './schema-walk.ts'

type Issue = z.core.$ZodIssue
type Place = { readonly schema: z.ZodType; readonly input: unknown; readonly prefix: readonly PropertyKey[] }

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[part]
        : undefined,
    input,
  )

const typeName = (type: string): string =>
  ({
    string: 'text',
    int: 'a whole number',
    number: 'a whole number',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
  })[type] ?? type

/** Returns the structural findings of one object of a brand. */
export function structureFindings(place: Place): readonly Finding[] {
  const result = place.schema.safeParse(place.input)
  return result.success
    ? []
    : withoutFollowers(result.error.issues).flatMap((issue) => findingsOf(issue, place))
}

/** Removes issues of values whose type is wrong already: a text has characters, which are no entries of a list. */
function withoutFollowers(issues: readonly Issue[]): readonly Issue[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => joinPath(path)),
  )
  return issues.filter(({ code, path }) => code === 'invalid_type' || !mistyped.has(joinPath(path)))
}

function findingsOf(issue: Issue, place: Place): readonly Finding[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue, key, place))
  if (issue.code === 'invalid_union') return unionFindings(issue, place)
  return [leafFinding(issue, place)]
}

function unknownKey(issue: Issue, key: string, { schema, prefix }: Place): Finding {
  const known = keysAt(schema, issue.path)
  const near = nearestWord(key, known)
  const [elsewhere] = pathsOfKey(mergedSchema, key)
  const fix =
    near !== undefined
      ? `Did you mean "${near}"?`
      : elsewhere !== undefined
        ? `Did you mean ${elsewhere}? The key belongs there.`
        : undefined
  return finding('unknown-key', {
    path: joinPath([...prefix, ...issue.path, key]),
    expected: `one of ${known.join(', ')}`,
    found: `the key ${shown(key)}`,
    fix,
  })
}

/** For a union, reports the branch nearest to the value: that of its own type. */
function unionFindings(issue: Extract<Issue, { code: 'invalid_union' }>, place: Place): readonly Finding[] {
  const branch = issue.errors.find(
    (issues) => issues.every(({ path }) => path.length > 0) && issues.length > 0,
  )
  const keys = issue.errors.find((issues) => issues.some(({ code }) => code === 'unrecognized_keys'))
  const nearest = branch ?? keys
  if (nearest === undefined) {
    const choice = issue.errors.flat().find(({ code }) => code === 'invalid_value')
    return [leafFinding({ ...(choice ?? issue), path: issue.path } as Issue, place)]
  }
  return nearest.flatMap((inner) =>
    findingsOf({ ...inner, path: [...issue.path, ...inner.path] } as Issue, place),
  )
}

function leafFinding(issue: Issue, { schema, input, prefix }: Place): Finding {
  const path = joinPath([...prefix, ...issue.path])
  const value = valueAt(input, issue.path)
  const found = shown(value)
  if (value === undefined) {
    const about = schemaAt(schema, issue.path)?.description
    return finding('required-missing', { path, found, ...(about === undefined ? {} : { expected: about }) })
  }
  const name: FindingName = isFindingName(issue.message) ? issue.message : generalName(issue)
  const range = name === 'wrong-type' || name === 'out-of-range' ? rangeAt(schema, issue.path) : undefined
  const expected = range ?? expectationOf(issue, name)
  const fix = name === 'language-unknown' && typeof value === 'string' ? languageFix(value) : undefined
  return finding(name, { path, found, expected, fix })
}

function generalName(issue: Issue): FindingName {
  if (issue.code === 'invalid_value') return 'value-not-allowed'
  return issue.code === 'too_big' || issue.code === 'too_small' ? 'out-of-range' : 'wrong-type'
}

/** Returns expected numbers and choices, which the table of codes cannot contain. */
function expectationOf(issue: Issue, name: FindingName): string | undefined {
  if (issue.code === 'invalid_type') return name === 'wrong-type' ? typeName(issue.expected) : undefined
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => shown(value)).join(', ')}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unitOf(issue.origin)}`
  if (issue.code === 'too_small' && name === 'out-of-range') {
    return `at least ${issue.minimum}${unitOf(issue.origin)}`
  }
  return undefined
}

const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''
