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

/** One operation of the document; only the members used in this workspace are typed. */
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
  // Stake pools have histories, too, so their ids are allowed.
  address: { type: 'string', pattern: '^(?:0[23])?[0-9a-fA-F]{64}$' },
  tokenId: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  // The name of the origin block is allowed.
  hash: { type: 'string', pattern: '^(?:[0-9a-fA-F]{64}|[A-Za-z0-9_]{1,32})$' },
  height: { type: 'integer', minimum: 0 },
  page: { type: 'integer', minimum: 0 },
  count: { type: 'integer', minimum: 0 },
  units: { type: 'integer', format: 'uint64', minimum: 0 },
  text: { type: 'string' },
}

/** Returns the first recorded value of a parameter that fits its schema. */
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

/** Returns recorded exchanges by number. Empty bodies are left out, since they are not examples of a schema. */
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
    // Values that were refused for their form are not examples.
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
    // A node with a failure answers with the same members.
    ...(reference.unavailable === undefined
      ? {}
      : { '503': { description: reference.unavailable, content } }),
  }
}

/** Prints one operation with its meanings, errors and recorded examples. */
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
