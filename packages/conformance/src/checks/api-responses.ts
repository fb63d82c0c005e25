import { createGenesis } from '@hailstone/ledger'
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
import { asObject, asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check, Outcome } from '../check.ts'
import { ask, createOfflineApi, type OfflineApi, type Reply } from '../offline-api.ts'

export type AnyEndpoint = Endpoint<Parameters, unknown, unknown>

/** Every endpoint definition of the protocol package. */
export const endpoints: readonly AnyEndpoint[] = Object.entries(protocol)
  .filter(([name]) => name.endsWith('Endpoint'))
  .map(([, value]) => value as unknown)
  .filter((value): value is AnyEndpoint => typeof value === 'object' && value !== null && 'path' in value)

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns the definition of a path, with or without `/api/v1` and query. */
export function endpointOf(method: string, path: string): AnyEndpoint | undefined {
  const route = path.replace(/^\/api\/v1/, '').replace(/\?.*$/, '')
  return endpoints.find((endpoint) => endpoint.method === method && endpoint.path === route)
}

/** Decodes an answer like a client and encodes it like a server; both must agree with the recording. */
export function answerDifferences(endpoint: AnyEndpoint, body: string): readonly (string | null)[] {
  if (body === '') return [endpoint.mayBeEmpty ? null : `${endpoint.path} is not described as possibly empty`]
  const wire = endpoint.form === 'text' ? body : parseJson(body)
  const decoded = decodeWith(endpoint.answer, wire)
  if (!decoded.ok) return [`the answer was refused: ${decoded.problem.reason}`]
  return [difference('answer written again', wire, encodeWith(endpoint.answer, decoded.value))]
}

function queryDifferences(endpoint: AnyEndpoint, path: string): readonly (string | null)[] {
  const given = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''))
  const known = Object.keys(decodeQuery(endpoint, given)).length
  return [difference('query parameters that are described', Object.keys(given).length, known)]
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Compares status and headers of a body that is not empty. Plain figures may have any content type. */
const headDifferences = (given: Case, { form }: AnyEndpoint): readonly (string | null)[] => [
  difference('status', given.status, 200n),
  form === 'text' ? null : difference('content type', given.content_type, JSON_TYPE),
]

/** Compares empty bodies: where the public server sends one, ours must too. The requested names are unknown here. */
const emptyDifferences = (given: Case, reply: Reply): readonly (string | null)[] => [
  difference('status', given.status, BigInt(reply.status)),
  difference('content type', given.content_type ?? null, reply.contentType),
  difference('body', '', reply.body),
]

/** Compares refusals: where the public server never answers, ours must answer with an error (PROTOCOL 3.1). */
function refusalDifferences({ status, contentType, body }: Reply): readonly (string | null)[] {
  const { err, message } = contentType === JSON_TYPE ? asObject(parseJson(body)) : {}
  const isRefused = status >= 400 && status < 600 && asText(err) === '1' && asText(message) !== ''
  return [isRefused ? null : `it is not refused in words: ${status} ${body.slice(0, 80)}`]
}

async function wireDifferences(given: Case, endpoint: AnyEndpoint, offline: OfflineApi) {
  const asked = () => ask(offline, { method: asText(given.method), path: asText(given.path) })
  // Without parameters it depends on the state only: a chain without blocks or native token, which ours always has.
  const isOfState = Object.keys(endpoint.parameters).length === 0
  if (given.no_response === true) return isOfState ? [] : refusalDifferences(await asked())
  const body = asText(given.body)
  const read = answerDifferences(endpoint, body)
  if (body !== '') return [...read, ...headDifferences(given, endpoint)]
  return [...read, ...(isOfState ? [] : emptyDifferences(given, await asked()))]
}

async function compare(given: Case, offline: OfflineApi): Promise<readonly (string | null)[]> {
  const path = asText(given.path)
  const endpoint = endpointOf(asText(given.method), path)
  if (given.status === 404n) return [endpoint === undefined ? null : `${path} should not be a route`]
  if (endpoint === undefined) return [`no endpoint is defined for ${path}`]
  return [...queryDifferences(endpoint, path), ...(await wireDifferences(given, endpoint, offline))]
}

async function run(file: JsonValue): Promise<readonly Outcome[]> {
  await using offline = await createOfflineApi(createGenesis({ seed: 'conformance', time: 1_700_000_000 }))
  const outcomes: Outcome[] = []
  for (const given of casesOf(file)) {
    const found = await compare(given, offline).catch((error: unknown) => [reasonOf(error)])
    outcomes.push(judge(nameOf(given), () => found))
  }
  return outcomes
}

/** Answers of the public handlers for invented rows, decoded and encoded without loss (PROTOCOL 3). */
export const check: Check = {
  kind: 'answers of the public API',
  recognises: (file: JsonValue) =>
    everyCaseHas(file, 'method', 'path') &&
    casesOf(file).every((given) => given.no_response === true || given.status !== undefined),
  run,
}
