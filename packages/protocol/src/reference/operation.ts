import type { Parameter, ParameterKinds } from '../endpoints/define-endpoint.ts'
import type { EndpointReference, ReferenceGroup } from './endpoint-reference.ts'
import { errorResponses } from './error-responses.ts'
import { recordedExamples } from './examples.ts'
import type { WireSchema } from './leaf-forms.ts'
import { examplesAt, type RecordedExample } from './recorded-example.ts'
import { schemaProblem } from './schema-problem.ts'
import { wireSchema, withMeanings } from './wire-schema.ts'

type Media = { readonly schema: WireSchema; readonly examples?: Readonly<Record<string, unknown>> }
type Content = Readonly<Record<string, Media>>

/** One operation of the document; only what its readers in this workspace look at is typed. */
export type DescribedOperation = {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly description: string
    readonly schema: WireSchema
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, unknown>>
  readonly [member: string]: unknown
}

const parameterSchemas: { readonly [K in keyof ParameterKinds]: WireSchema } = {
  // Also the identifier of a stake pool, which has a history too.
  address: { type: 'string', pattern: '^(?:0[23])?[0-9a-fA-F]{64}$' },
  tokenId: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  // Also the name of the origin block.
  hash: { type: 'string', pattern: '^(?:[0-9a-fA-F]{64}|[A-Za-z0-9_]{1,32})$' },
  height: { type: 'integer', minimum: 0 },
  page: { type: 'integer', minimum: 0 },
  count: { type: 'integer', minimum: 0 },
  units: { type: 'integer', format: 'uint64', minimum: 0 },
  text: { type: 'string' },
}

/** The first recorded query that has the parameter, as its schema wants it. */
function exampleOf(
  parameter: Parameter,
  recorded: readonly RecordedExample[],
): { readonly example?: unknown } {
  const pairs = recorded.flatMap(({ query }) => query.split('&').map((pair) => pair.split('=')))
  const encoded = pairs.find(([name]) => name === parameter.wireName)?.[1]
  if (encoded === undefined) return {}
  const text = decodeURIComponent(encoded)
  return { example: parameterSchemas[parameter.kind].type === 'integer' ? Number(text) : text }
}

const parameterOf = (
  parameter: Parameter,
  meanings: EndpointReference['parameters'],
  recorded: readonly RecordedExample[],
) => ({
  name: parameter.wireName,
  in: 'query',
  required: !parameter.isOptional,
  description: meanings?.[parameter.wireName] ?? '',
  schema: parameterSchemas[parameter.kind],
  ...exampleOf(parameter, recorded),
})

const camelCase = (text: string): string =>
  text.replaceAll(/[/_](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Whole exchanges, named by their number; an empty body is no example of a schema. */
function shown(values: readonly { readonly source: string; readonly value: unknown }[]) {
  if (values.length === 0) return {}
  const named = values.map(({ source, value }, at) => [`recorded${at + 1}`, { summary: source, value }])
  return { examples: Object.fromEntries(named) }
}

function answerContent(
  { endpoint, answer }: EndpointReference,
  recorded: readonly RecordedExample[],
): Content {
  const isText = endpoint.form === 'text'
  const values = recorded
    .filter(({ answer: text }) => text !== '')
    .map(({ source, answer: text }) => ({ source, value: isText ? text : (JSON.parse(text) as unknown) }))
  const schema = withMeanings(
    wireSchema(endpoint.answer),
    (path) => answer[path],
    (path) =>
      examplesAt(
        values.map(({ value }) => value),
        path,
      ),
  )
  return { [isText ? 'text/plain' : 'application/json']: { schema, ...shown(values) } }
}

function bodyOf({ endpoint, body }: EndpointReference, recorded: readonly RecordedExample[]) {
  if (endpoint.body === undefined) return {}
  const bare = wireSchema(endpoint.body)
  const values = recorded
    .flatMap(({ source, body: text }) =>
      text === undefined ? [] : [{ source, value: JSON.parse(text) as unknown }],
    )
    // What was refused for its form is no example of it.
    .filter(({ value }) => schemaProblem(value, bare) === null)
  const schema = withMeanings(
    bare,
    (path) => body?.[path],
    (path) =>
      examplesAt(
        values.map(({ value }) => value),
        path,
      ),
  )
  return {
    requestBody: { required: true, content: { 'application/json': { schema, ...shown(values) } } },
  } as const
}

function responsesOf(reference: EndpointReference, recorded: readonly RecordedExample[]) {
  const { endpoint } = reference
  const content = answerContent(reference, recorded)
  const errors = errorResponses(reference)
  return {
    '200': {
      description: endpoint.mayBeEmpty ? 'The answer, or a body of zero length: nothing.' : 'The answer.',
      content,
    },
    ...errors,
    // A node that is not well says so in the same members.
    ...(reference.unavailable === undefined
      ? {}
      : { '503': { description: reference.unavailable, content } }),
  }
}

/** Prints one operation with its meanings, its errors and what was recorded of it. */
export function operationOf(reference: EndpointReference, group: ReferenceGroup): DescribedOperation {
  const { method, path, parameters } = reference.endpoint
  const recorded = recordedExamples[`${method} ${path}`] ?? []
  return {
    tags: [group.name],
    ...(group.serverUrl === undefined ? {} : { servers: [{ url: group.serverUrl }] }),
    summary: reference.summary,
    ...(reference.description === undefined ? {} : { description: reference.description }),
    operationId: method.toLowerCase() + camelCase(path),
    parameters: Object.values(parameters).map((parameter) =>
      parameterOf(parameter, reference.parameters, recorded),
    ),
    ...bodyOf(reference, recorded),
    responses: responsesOf(reference, recorded),
  }
}
