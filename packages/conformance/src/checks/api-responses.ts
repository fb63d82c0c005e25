import * as protocol from '@hailstone/protocol'
import {
  decodeQuery,
  decodeWith,
  type Endpoint,
  encodeWith,
  type JsonValue,
  type Parameters,
  parseJson,
} from '@hailstone/protocol'
import { asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

export type AnyEndpoint = Endpoint<Parameters, unknown, unknown>

/** Every endpoint definition of the protocol package. */
export const endpoints: readonly AnyEndpoint[] = Object.entries(protocol)
  .filter(([name]) => name.endsWith('Endpoint'))
  .map(([, value]) => value as unknown)
  .filter((value): value is AnyEndpoint => typeof value === 'object' && value !== null && 'path' in value)

/** The definition behind a path with or without `/api/v1` and query. */
export function endpointOf(method: string, path: string): AnyEndpoint | undefined {
  const route = path.replace(/^\/api\/v1/, '').replace(/\?.*$/, '')
  return endpoints.find((endpoint) => endpoint.method === method && endpoint.path === route)
}

/** Reads an answer as a client does and writes it as a server does; both must agree with the recording. */
export function answerDifferences(endpoint: AnyEndpoint, body: string): readonly (string | null)[] {
  if (body === '') return [endpoint.mayBeEmpty ? null : `${endpoint.path} is not described as possibly empty`]
  const wire = parseJson(body)
  const decoded = decodeWith(endpoint.answer, wire)
  if (!decoded.ok) return [`the answer was refused: ${decoded.problem.reason}`]
  return [difference('answer written again', wire, encodeWith(endpoint.answer, decoded.value))]
}

function queryDifferences(endpoint: AnyEndpoint, path: string): readonly (string | null)[] {
  const given = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''))
  const known = Object.keys(decodeQuery(endpoint, given)).length
  return [difference('query parameters that are described', Object.keys(given).length, known)]
}

function compare(given: Case): readonly (string | null)[] {
  const path = asText(given.path)
  const endpoint = endpointOf(asText(given.method), path)
  if (given.status === 404n) return [endpoint === undefined ? null : `${path} should not be a route`]
  if (endpoint === undefined) return [`no endpoint is defined for ${path}`]
  const query = queryDifferences(endpoint, path)
  return given.no_response === true ? query : [...query, ...answerDifferences(endpoint, asText(given.body))]
}

/** Answers of the public handlers for invented rows: read and written again without loss (PROTOCOL 3). */
export const check: Check = {
  kind: 'answers of the public API',
  recognises: (file: JsonValue) =>
    everyCaseHas(file, 'method', 'path') &&
    casesOf(file).every((given) => given.no_response === true || given.status !== undefined),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
