import { readFile } from 'node:fs/promises'
import { isNodeError, NodeError, parseJson } from '@hailstone/protocol'
import { referenceGroups } from '@hailstone/protocol/reference'
import { nearestWord } from '@hailstone/runtime'
import { writtenText } from '@hailstone/runtime/node'
import * as z from 'zod'
import { type FaultRule, type FaultScript, faultScriptSchema } from './fault-script.ts'
import { partRefused, shown } from './network-part.ts'

type Path = readonly PropertyKey[]

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

/** Formats a path like `rules[0].match.nth`. */
const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${String(step)}`,
    '',
  ) || 'the fault script'

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined,
    value,
  )

const hint = (written: unknown, words: readonly string[]): string => {
  const meant = typeof written === 'string' ? nearestWord(written, words) : undefined
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}

const oneOfWords = (words: readonly string[]): string => `one of ${words.join(', ')}`

/** The names that are known where an unknown one was found. */
function namesAt(path: Path, script: unknown): readonly string[] {
  let schema: z.core.$ZodType | undefined = faultScriptSchema
  let value = script
  for (const step of path) {
    schema = inside(schema, step, value)
    value = valueAt(value, [step])
  }
  const bare = unwrapped(schema, value)
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : []
}

function unwrapped(schema: z.core.$ZodType | undefined, value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap(), value)
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const on = valueAt(value, ['on'])
    return schema.options.find(
      (option) => option instanceof z.ZodObject && (option.shape.on as z.ZodLiteral).value === on,
    )
  }
  return schema
}

function inside(
  schema: z.core.$ZodType | undefined,
  step: PropertyKey,
  value: unknown,
): z.core.$ZodType | undefined {
  const bare = unwrapped(schema, value)
  if (bare instanceof z.ZodArray) return bare.element
  return bare instanceof z.ZodObject ? (bare.shape[String(step)] as z.core.$ZodType | undefined) : undefined
}

/** One issue of the schema as one of our errors. */
function problemOf(issue: z.core.$ZodIssue, script: unknown): NodeError {
  const { path } = issue
  const found = valueAt(script, path)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const names = namesAt(path, script)
    return refused(pathText([...path, key]), oneOfWords(names) + hint(key, names), `the unknown "${key}"`)
  }
  if (issue.code === 'invalid_value') {
    const words = issue.values.map(String)
    return refused(pathText(path), oneOfWords(words) + hint(found, words), shown(found))
  }
  if (issue.code === 'invalid_union' && path.at(-1) === 'on') throw partRefused(pathText(path), found)
  return refused(pathText(path), expectedBy(issue), shown(found))
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected
    case 'too_small':
      return `at least ${issue.minimum}`
    case 'too_big':
      return `at most ${issue.maximum}`
    case 'invalid_union':
      return issue.errors.map(([first]) => (first === undefined ? '' : expectedBy(first))).join(', or ')
    default:
      return issue.message
  }
}

/** Paths that the interface answers. */
const knownPaths: readonly string[] = [
  ...referenceGroups.flatMap(({ endpoints }) => endpoints.map(({ endpoint }) => endpoint.path)),
  '/balance_minable',
]

export const PREFIX = '/api/v1'

/** Relative to the prefix, whether the prefix was written or not. */
export const barePath = (path: string): string =>
  path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length) : path

function checkPath(written: string, at: Path): void {
  const path = barePath(written)
  const isKnown = path.endsWith('*')
    ? knownPaths.some((known) => known.startsWith(path.slice(0, -1)))
    : knownPaths.includes(path)
  if (!isKnown)
    throw refused(pathText(at), `a path of the interface${hint(path, knownPaths)}`, shown(written))
}

/** Faults that say what a message has to be to be hurt so. */
const messagesOf: Readonly<Record<string, readonly string[]>> = {
  status: ['upgrade'],
  redirect: ['upgrade'],
  forge: ['on_leader_beacon'],
  flood: ['on_leader_beacon'],
  replay: ['on_leader_beacon'],
}
/** Faults that can happen before there are messages. */
const early: Readonly<Record<string, readonly string[]>> = {
  connect: ['delay', 'silent', 'halfOpen', 'reset'],
  upgrade: ['delay', 'silent', 'halfOpen', 'reset', 'status', 'redirect'],
}

/** Checks what the schema cannot express: faults that apply only to some requests and messages. */
function checkRule(rule: FaultRule, at: number): void {
  const [fault = ''] = Object.keys(rule.fault)
  if (rule.on === 'api') {
    if (rule.match?.path !== undefined) checkPath(rule.match.path, ['rules', at, 'match', 'path'])
    if (['wrongHash', 'acceptThenForget'].includes(fault) && barePath(rule.match?.path ?? '') !== '/tx')
      throw refused(`rules[${at}].match.path`, `"/tx", where ${fault} can happen`, shown(rule.match?.path))
    if (fault === 'otherNode' && (rule.match?.method ?? 'GET') !== 'GET')
      throw refused(`rules[${at}].match.method`, '"GET" or none for otherNode', shown(rule.match?.method))
    return
  }
  const message = rule.match?.message
  const messages = messagesOf[fault]
  if (messages !== undefined && !messages.includes(message ?? ''))
    throw refused(`rules[${at}].match.message`, `${messages.join(' or ')} for ${fault}`, shown(message))
  const faults = early[message ?? '']
  if (faults !== undefined && !faults.includes(fault))
    throw refused(`rules[${at}].fault`, `one of ${faults.join(', ')} at ${message}`, fault)
}

/** Integers of lossless JSON that fit a number become one; larger ones stay exact. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/**
 * Checks a fault script. Unknown names are refused, with the one that may have been meant: a rule that never
 * fires because of a typo would look like a client that bears everything.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the path of the first thing that is wrong
 */
export function parseFaultScript(value: unknown): FaultScript {
  const script = plain(value)
  const result = faultScriptSchema.safeParse(script)
  if (!result.success) {
    const [issue] = result.error.issues
    throw issue === undefined ? refused('the fault script', 'valid', 'not') : problemOf(issue, script)
  }
  result.data.rules.forEach(checkRule)
  return result.data
}

/**
 * Reads and parses the fault script of a file.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, with the file named in front of the path
 */
export async function readFaultScript(file: string): Promise<FaultScript> {
  try {
    return parseFaultScript(parseJson(writtenText(await readFile(file))))
  } catch (error) {
    if (isNodeError(error, 'CONFIGURATION_INVALID'))
      throw refused(`${file}: ${error.facts.path}`, error.facts.expected, error.facts.found)
    if (isNodeError(error)) throw refused(file, 'a fault script in JSON', error.message)
    const reason = error instanceof Error ? error.message : String(error)
    throw refused(file, 'a file that can be read', reason)
  }
}
