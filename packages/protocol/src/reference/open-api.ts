import type { Parameter, ParameterKinds } from '../endpoints/define-endpoint.ts'
import type { EndpointReference, ReferenceGroup } from './endpoint-reference.ts'
import { referenceGroups } from './references.ts'
import { type WireSchema, wireSchema, withMeanings } from './wire-schema.ts'

export type OpenApiOptions = {
  /** Where the paths begin, absolute or relative to the page. */
  readonly serverUrl: string
  readonly title: string
  readonly description?: string | undefined
  readonly version: string
}

/** An OpenAPI 3.1 document: plain JSON. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const parameterSchemas: { readonly [K in keyof ParameterKinds]: WireSchema } = {
  address: { type: 'string', pattern: '^0[23][0-9a-fA-F]{64}$' },
  tokenId: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  // Also the name of the origin block.
  hash: { type: 'string', pattern: '^(?:[0-9a-fA-F]{64}|[A-Za-z0-9_]{1,32})$' },
  height: { type: 'integer', minimum: 0 },
  page: { type: 'integer', minimum: 0 },
  count: { type: 'integer', minimum: 0 },
  units: { type: 'integer', format: 'uint64', minimum: 0 },
  text: { type: 'string' },
}

const errorSchema: WireSchema = {
  type: 'object',
  properties: {
    err: { type: 'integer', enum: [1], description: 'Always 1.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
  },
  required: ['err', 'message'],
}

const parameterOf = (parameter: Parameter, meanings: EndpointReference['parameters']) => ({
  name: parameter.wireName,
  in: 'query',
  required: !parameter.isOptional,
  description: meanings?.[parameter.wireName] ?? '',
  schema: parameterSchemas[parameter.kind],
})

const json = (schema: WireSchema) => ({ 'application/json': { schema } })

function responsesOf({ endpoint, answer, missing, unknown }: EndpointReference) {
  const schema = withMeanings(wireSchema(endpoint.answer), (path) => answer[path])
  const refusal = (description: string | undefined) =>
    description === undefined ? undefined : { description, content: json(errorSchema) }
  return {
    '200': {
      description: endpoint.mayBeEmpty ? 'The answer, or a body of zero length: nothing.' : 'The answer.',
      content: json(schema),
    },
    ...(missing === undefined ? {} : { '400': refusal(missing) }),
    ...(unknown === undefined ? {} : { '404': refusal(unknown) }),
  }
}

function bodyOf({ endpoint, body }: EndpointReference) {
  if (endpoint.body === undefined) return {}
  const schema = withMeanings(wireSchema(endpoint.body), (path) => body?.[path])
  return { requestBody: { required: true, content: json(schema) } }
}

const operationOf = (reference: EndpointReference, group: ReferenceGroup) => ({
  tags: [group.name],
  summary: reference.summary,
  ...(reference.description === undefined ? {} : { description: reference.description }),
  operationId: `${reference.endpoint.method.toLowerCase()}${reference.endpoint.path.replaceAll(/[/_](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  parameters: Object.values(reference.endpoint.parameters).map((parameter) =>
    parameterOf(parameter, reference.parameters),
  ),
  ...bodyOf(reference),
  responses: responsesOf(reference),
})

/** Prints the reference of the API from the endpoint definitions and the meanings of what they say. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { serverUrl, title, version, description = '' } = options
  const paths: Record<string, Record<string, unknown>> = {}
  for (const group of referenceGroups) {
    for (const reference of group.endpoints) {
      const { path, method } = reference.endpoint
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(reference, group) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: serverUrl }],
    tags: referenceGroups.map((group) => ({ name: group.name, description: group.description })),
    paths,
  }
}
