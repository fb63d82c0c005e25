import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { hasBody } from '@hailstone/fault-injection'
import { type HostRules, hostNameOf, isAnswered } from './answered-hosts.ts'
import { createKeptAnswers, type LiveChain, type WrittenAnswer } from './kept-answers.ts'
import { parseStrict } from './request-bodies.ts'
import { noteFailure } from './request-failures.ts'
import { API_PREFIX, type Route } from './route.ts'
import { BODY_LIMIT_BYTES, wholeBodyOf } from './whole-bodies.ts'

/** Plain letters and digits: read without decoding, and one question has one spelling. */
const PLAIN_QUERY = /^[a-zA-Z_]+=[0-9a-zA-Z_.-]*(?:&[a-zA-Z_]+=[0-9a-zA-Z_.-]*)*$/
const MAX_HOSTS = 100

/** Undefined for a query that is not plain, or names a parameter twice. */
function plainQuery(text: string): Readonly<Record<string, string>> | undefined {
  const query: Record<string, string> = {}
  if (text === '') return query
  if (!PLAIN_QUERY.test(text)) return undefined
  for (const part of text.split('&')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at)
    if (Object.hasOwn(query, name)) return undefined
    query[name] = part.slice(at + 1)
  }
  return query
}

/** Remembers the hosts that requests named. */
function createHostCheck(rules: HostRules): (host: string | undefined) => boolean {
  const known = new Map<string, boolean>()
  return (host) => {
    if (host === undefined) return true
    const found = known.get(host)
    if (found !== undefined) return found
    const isOwn = isAnswered(hostNameOf(host), rules)
    if (known.size < MAX_HOSTS) known.set(host, isOwn)
    return isOwn
  }
}

/** Shorter answers save less than the headers of a compressed one take; longer ones take too much of the processor. */
const [MIN_COMPRESSED, MAX_COMPRESSED] = [400, 8192]
/** True for the way browsers ask. Whoever weighs codings gets the answer as it is. */
const takesGzip = ({ headers }: IncomingMessage): boolean =>
  /(?:^|, ?)gzip(?:,|$)/.test(String(headers['accept-encoding'] ?? ''))

/** Writes the headers of every answer, in the order of the server's own, and the body. */
function send(request: IncomingMessage, response: ServerResponse, { type, body }: WrittenAnswer): void {
  const head = ['access-control-allow-origin', '*']
  if (type !== undefined) head.push('content-type', type)
  head.push('x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer')
  const mayBe = body.length >= MIN_COMPRESSED && body.length <= MAX_COMPRESSED
  const isCompressed = mayBe && takesGzip(request)
  if (isCompressed) head.push('content-encoding', 'gzip', 'vary', 'accept-encoding')
  const sent = isCompressed ? gzipSync(body) : body
  const bytes = typeof sent === 'string' ? Buffer.byteLength(sent) : sent.length
  head.push('content-length', String(bytes))
  response.writeHead(200, head)
  response.end(sent)
}

/** True for types that are JSON to the server as well; other spellings are the server's to judge. */
const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || type === 'application/json; charset=utf-8'

/** Undefined for a body that is not there in whole, or is no JSON. */
function bodyOf(request: IncomingMessage): { readonly json: unknown } | undefined {
  const body = wholeBodyOf(request)
  if (body === undefined || body.length > BODY_LIMIT_BYTES) return undefined
  if (!isJson(request.headers['content-type'])) return undefined
  try {
    return { json: parseStrict(body) }
  } catch {
    return undefined
  }
}

type Asked = { readonly method: 'GET' | 'POST'; readonly url: string; readonly path: string }

/**
 * Answers questions to the API that are written plainly, without the way through the server: what is kept at once,
 * else what the route says. Everything else, and every refusal, is the server's. Row P-17 needs it: 8,200 balances and
 * 7,600 pages of a history per CPU second here, 4,500 and 2,800 through the server (a busy machine, 29 November 2026).
 *
 * @returns a function that passes on what it does not answer
 */
export function createQuickAnswers(parameters: {
  readonly routes: readonly Route[]
  readonly hosts: HostRules
  /** @default nothing is kept */
  readonly live?: LiveChain | undefined
  readonly isClosing: () => boolean
  /** Called with each answer that is made. */
  readonly check?: ((asked: Asked, answer: WrittenAnswer) => void) | undefined
}): (request: IncomingMessage, response: ServerResponse, pass: () => void) => void {
  const { routes, live, isClosing, check } = parameters
  const isOwnHost = createHostCheck(parameters.hosts)
  const kept = live === undefined ? undefined : createKeptAnswers(live)
  const gets = new Map<string, Route>()
  const posts = new Map<string, Route>()
  for (const one of routes) {
    if (one.quick !== undefined) gets.set(API_PREFIX + one.endpoint.path, one)
    if (one.quickPost !== undefined) posts.set(API_PREFIX + one.endpoint.path, one)
  }

  /** Undefined where the server has to be asked. */
  function begin(request: IncomingMessage, url: string): ReturnType<Made> | undefined {
    const at = url.indexOf('?')
    const path = at === -1 ? url : url.slice(0, at)
    if (request.method === 'POST') {
      const post = at === -1 ? posts.get(path)?.quickPost : undefined
      const body = post === undefined ? undefined : bodyOf(request)
      return body === undefined ? undefined : post?.make(body.json)
    }
    const quick = hasBody(request) ? undefined : gets.get(path)?.quick
    const query = quick === undefined ? undefined : plainQuery(at === -1 ? '' : url.slice(at + 1))
    return query === undefined ? undefined : quick?.make(query)
  }

  return (request, response, pass) => {
    const { method, url = '', headers } = request
    if ((method !== 'GET' && method !== 'POST') || isClosing() || !isOwnHost(headers.host)) return pass()
    const found = method === 'GET' && !hasBody(request) ? kept?.find(url) : undefined
    if (found !== undefined) return send(request, response, found)
    const tip = live?.tip() ?? null
    const made = begin(request, url)
    if (made === undefined) return pass()
    made.then(
      ({ written, lasting }) => {
        if (lasting !== null) kept?.keep(url, written, lasting, tip)
        send(request, response, written)
        const path = url.replace(/\?.*$/, '').slice(API_PREFIX.length)
        check?.({ method, url, path }, written)
      },
      (error: unknown) => {
        noteFailure(request, error)
        pass()
      },
    )
  }
}

type Made = NonNullable<Route['quick']>['make']
