import * as protocol from '@hailstone/protocol'
import { type Endpoint, encodeWith, type Parameters, parseJson, transactionHash } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callEndpointOrNothing } from '../src/call-endpoint.ts'
import {
  type Client,
  type ClientCore,
  createClient,
  createClientCore,
  createFetchTransport,
  createUndiciTransport,
} from '../src/node.ts'
import { type Exchange, exchangesOf, unansweredOf } from './support/recordings.ts'
import { bodyOf, serve, type TestServer } from './support/serve.ts'

const files = [
  'recorded/http-1.json',
  'recorded/http-2.json',
  'recorded/http-1-newest.json',
  'vectors/api_responses.json',
]
const transports = { undici: createUndiciTransport, fetch: createFetchTransport }

const isEndpoint = (value: unknown): value is Endpoint<Parameters, unknown> =>
  typeof value === 'object' && value !== null && 'answer' in value

const endpoints = new Map(
  Object.values(protocol as Record<string, unknown>)
    .filter(isEndpoint)
    .filter(({ method }) => method === 'GET')
    .map((endpoint) => [endpoint.path as string, endpoint]),
)

const pathOf = (target: string): string => target.split('?')[0] ?? ''

/** The texts of a target under the names of its endpoint. */
function queryOf(endpoint: Endpoint<Parameters, unknown>, target: string): Record<string, string> {
  const texts = new URLSearchParams(target.split('?')[1] ?? '')
  return Object.fromEntries(
    Object.entries(endpoint.parameters)
      .filter(([, { wireName }]) => texts.has(wireName))
      .map(([name, { wireName }]) => [name, texts.get(wireName) ?? '']),
  )
}

/** Serves one exchange at a time: the same request is recorded several times with different answers. */
let current: Exchange | undefined
let server: TestServer

beforeAll(async () => {
  server = await serve((request, response) => {
    if (current === undefined || request.url !== `/api/v1${current.path}`) {
      response.writeHead(418).end()
      return
    }
    if (current.contentType !== null) response.setHeader('content-type', current.contentType)
    response.writeHead(current.status).end(current.body)
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

describe.each(Object.entries(transports))('recorded answers over %s', (_, createTransport) => {
  let client: Client
  /** Without checks of arguments: the queries that were recorded are texts, right ones and wrong ones. */
  let core: ClientCore
  beforeAll(() => {
    const { apiUrl } = server
    client = createClient({ apiUrl, transport: createTransport({ apiUrl }) })
    core = { ...createClientCore({ apiUrl, transport: createTransport({ apiUrl }) }), diagnostics: undefined }
  })
  afterAll(async () => {
    await client.close()
    await core.close()
  })

  const gets = files.flatMap((file) =>
    exchangesOf(file)
      // No function of the client reads plain figures.
      .filter(({ method, status, path }) => method === 'GET' && status === 200 && !path.startsWith('/ext/'))
      .map((exchange) => [`${file}: ${exchange.name}`, exchange] as const),
  )

  it.each(gets)('%s is read and written back the same', async (_name, exchange) => {
    const endpoint = endpoints.get(pathOf(exchange.path))
    if (endpoint === undefined) throw new Error(`no endpoint for ${exchange.path}`)
    current = exchange
    const value = await callEndpointOrNothing(core, endpoint, queryOf(endpoint, exchange.path))
    if (exchange.body === '') expect(value).toBeUndefined()
    else expect(encodeWith(endpoint.answer, value)).toStrictEqual(parseJson(exchange.body))
  })

  it('refuses the page of an unknown route with its status', async () => {
    const exchange = files.flatMap(exchangesOf).find(({ status }) => status === 404)
    if (exchange === undefined) throw new Error('no such recording')
    current = { ...exchange, path: '/height' }
    await expect(client.getHeight()).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      facts: { status: 404, path: '/height', message: null },
    })
  })
})

describe('recorded answers to POST /tx', () => {
  const posts = files.flatMap((file) =>
    exchangesOf(file)
      .filter(({ method }) => method === 'POST')
      .map((exchange, at) => [`${file} ${at}: ${exchange.body.slice(0, 60)}`, exchange] as const),
  )
  const readBody = (request: unknown) =>
    protocol.decodeWith(
      protocol.postTransactionEndpoint.body as protocol.Schema<readonly protocol.Transaction[]>,
      parseJson(JSON.stringify(request)),
    )
  const readable = posts.flatMap(([name, exchange]) => {
    const read = readBody(exchange.request)
    const transaction = read.ok ? read.value[0] : undefined
    return transaction === undefined ? [] : [[name, exchange, transaction] as const]
  })

  it('has accepted and refused ones among them', () => {
    expect(readable.filter(([, { body }]) => body.startsWith('{"err":0'))).not.toHaveLength(0)
    expect(readable.filter(([, { body }]) => body.startsWith('{"err":1'))).not.toHaveLength(0)
  })

  it.each(readable)('%s is understood', async (_name, exchange, transaction) => {
    const bodies: string[] = []
    await using api = await serve(async (request, response) => {
      if (request.method === 'POST') bodies.push(await bodyOf(request))
      response.setHeader('content-type', 'application/json')
      if (request.method === 'POST') response.writeHead(exchange.status).end(exchange.body)
      else response.end(request.url?.includes('pending') ? '[]' : '')
    })
    await using client = createClient({ apiUrl: api.apiUrl })
    const sent = client.sendSignedTransaction({ transaction }).then(
      ({ hash }) => hash as string,
      (error) => error.code as string,
    )
    expect(await sent).toBe(expectedOutcome(exchange, transaction))
    // The very values that were recorded leave again, whatever their JSON form was.
    expect(readBody(JSON.parse(bodies[0] ?? ''))).toStrictEqual({ ok: true, value: [transaction] })
    expect(bodies).toHaveLength(1)
  })

  function expectedOutcome({ status, body }: Exchange, transaction: protocol.Transaction): string {
    if (status >= 500) return 'TRANSACTION_UNCERTAIN'
    if (status !== 200) return 'HTTP_STATUS'
    const { err, message } = JSON.parse(body)
    const isInPool = err === 0 || message === 'TX is already in txpool'
    return isInPool ? transactionHash(transaction) : 'TRANSACTION_REFUSED'
  }
})

describe('requests that the public node never answers', () => {
  const unanswered = files.flatMap(unansweredOf)

  it('end with a timeout that names the path', async () => {
    expect(unanswered.length).toBeGreaterThan(5)
    await using silent = await serve(() => undefined)
    await using client = createClientCore({ apiUrl: silent.apiUrl, timeoutMs: 150 })
    const core = { ...client, diagnostics: undefined }
    const outcomes = await Promise.all(
      unanswered.map(async (target) => {
        const endpoint = endpoints.get(pathOf(target))
        if (endpoint === undefined) throw new Error(`no endpoint for ${target}`)
        const query = queryOf(endpoint, target)
        return callEndpointOrNothing(core, endpoint, query).catch((error) => [error.code, error.facts])
      }),
    )
    expect(outcomes).toStrictEqual(
      unanswered.map((target) => ['REQUEST_TIMEOUT', { path: pathOf(target), timeoutMs: 150 }]),
    )
  })
})
