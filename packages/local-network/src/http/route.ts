import {
  decodeQuery,
  type Endpoint,
  encodeWith,
  type JsonValue,
  type Parameters,
  stringifyJson,
} from '@hailstone/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiRefusal } from './api-refusal.ts'
import type { Lasting, WrittenAnswer } from './kept-answers.ts'
import { throwFailure } from './request-failures.ts'

export const API_PREFIX = '/api/v1'
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The texts of a query under our names; an absent parameter is undefined. Nothing about them is checked. */
export type QueryTexts<P extends Parameters> = { readonly [K in keyof P]?: string }

type Answered<Answer> = Answer | undefined | Promise<Answer | undefined>

/** A route and its handler; undefined is a body of zero length. */
export type Route = {
  readonly endpoint: { readonly method: 'GET' | 'POST'; readonly path: string }
  readonly register: (server: FastifyInstance) => void
  /** Answers a question without the server; absent where there is more to do than to send the answer. */
  readonly quick?:
    | { readonly make: (query: Readonly<Record<string, unknown>>) => Promise<MadeAnswer> }
    | undefined
  /** The same for a body of JSON. */
  readonly quickPost?: { readonly make: (body: unknown) => Promise<MadeAnswer> } | undefined
}

/** An answer, and how long it stays true; null for unknown. */
type MadeAnswer = { readonly written: WrittenAnswer; readonly lasting: Lasting | null }

function refuseRepeated(parameters: Parameters, query: Readonly<Record<string, unknown>>): void {
  for (const { wireName } of Object.values(parameters)) {
    if (Array.isArray(query[wireName]))
      throw new ApiRefusal(400, `The parameter ${wireName} is given more than once.`)
  }
}

/** No name holds the character NUL, and no database text can; whatever does is as unknown as any other text. */
const withoutNul = <Texts extends Readonly<Record<string, string | undefined>>>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text?.replaceAll('\u0000', '\ufffd')]),
  ) as Texts

export function sendJson(reply: FastifyReply, value: JsonValue): FastifyReply {
  return reply.type(JSON_TYPE).send(stringifyJson(value))
}

/** From here on writing an answer takes milliseconds. */
const LONG_BYTES = 16 * 1024
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Writes an answer in the form of its endpoint. */
function write<Answer>(
  { answer, form }: Pick<Endpoint<Parameters, Answer>, 'answer' | 'form'>,
  value: Answer,
): WrittenAnswer {
  const wire = encodeWith(answer, value)
  return form === 'text'
    ? { type: TEXT_TYPE, body: String(wire) }
    : { type: JSON_TYPE, body: stringifyJson(wire) }
}

/** Sends what is made of a request. */
const sending =
  (make: (request: FastifyRequest) => Promise<MadeAnswer>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    throwFailure(request.raw)
    const { type, body } = (await make(request)).written
    if (type !== undefined) reply.type(type)
    return body.length === 0 ? reply.send() : reply.send(body)
  }

const quickRoute = (endpoint: Route['endpoint'], make: NonNullable<Route['quick']>['make']): Route => ({
  endpoint,
  register: (server) =>
    server.get(
      API_PREFIX + endpoint.path,
      sending(({ query }) => make(query as Readonly<Record<string, unknown>>)),
    ),
  quick: { make },
})

/** Serves a GET endpoint as its definition says: texts in, the answer's schema out. */
export function route<P extends Parameters, Answer>(
  endpoint: Endpoint<P, Answer>,
  handler: (texts: QueryTexts<P>) => Answered<Answer>,
  options: {
    /**
     * True if an empty body is announced as JSON, as by some routes of the public server.
     *
     * @default false
     */
    readonly hasTypeWhenEmpty?: boolean | undefined
    /**
     * Time for which an answer of more than 16 KiB is sent again unchanged, in ms. For endpoints without parameters.
     *
     * @default 0
     */
    readonly longAnswerKeptMs?: number | undefined
    /** Returns how long an answer stays true, or null. @default null */
    readonly lasting?: ((texts: QueryTexts<P>, value: Answer) => Lasting | null) | undefined
  } = {},
): Route {
  const { hasTypeWhenEmpty = false, longAnswerKeptMs = 0, lasting = () => null } = options
  const empty: MadeAnswer = {
    written: { type: hasTypeWhenEmpty ? JSON_TYPE : undefined, body: '' },
    lasting: null,
  }
  let kept: { readonly body: Buffer; readonly untilMs: number } | null = null
  async function make(query: Readonly<Record<string, unknown>>): Promise<MadeAnswer> {
    refuseRepeated(endpoint.parameters, query)
    if (kept !== null && performance.now() < kept.untilMs)
      return { written: { type: JSON_TYPE, body: kept.body }, lasting: null }
    const texts = withoutNul(decodeQuery(endpoint, query))
    const value = await handler(texts)
    if (value === undefined) return empty
    const written = write(endpoint, value)
    if (longAnswerKeptMs > 0) {
      const body = Buffer.from(written.body)
      kept = body.length > LONG_BYTES ? { body, untilMs: performance.now() + longAnswerKeptMs } : null
    }
    return { written, lasting: lasting(texts, value) }
  }
  return quickRoute(endpoint, make)
}

/**
 * Serves a GET endpoint with a list of entries that never change: each is written once, however often it is asked for.
 *
 * @param handler returns the entries; undefined is a body of zero length
 */
export function entriesRoute<P extends Parameters, Entry extends object, Value>(
  endpoint: Endpoint<P, readonly Value[]>,
  handler: (texts: QueryTexts<P>) => readonly Entry[] | undefined,
  toValue: (entry: Entry) => Value,
): Route {
  const texts = new WeakMap<Entry, string>()
  const textOf = (entry: Entry): string => {
    const text = texts.get(entry) ?? stringifyJson(encodeWith(endpoint.answer, [toValue(entry)])).slice(1, -1)
    texts.set(entry, text)
    return text
  }
  async function make(query: Readonly<Record<string, unknown>>): Promise<MadeAnswer> {
    refuseRepeated(endpoint.parameters, query)
    const entries = handler(withoutNul(decodeQuery(endpoint, query)))
    const written =
      entries === undefined
        ? { type: undefined, body: '' }
        : { type: JSON_TYPE, body: `[${entries.map(textOf).join(',')}]` }
    return { written, lasting: null }
  }
  return quickRoute(endpoint, make)
}

/** Serves a GET endpoint without parameters whose answer decides the status. */
export function answerRoute<Answer>(
  endpoint: Pick<Endpoint<Parameters, Answer>, 'method' | 'path' | 'answer'>,
  handler: () => Promise<{ readonly value: Answer; readonly status: number }>,
  options: {
    /** Another path, from the root of the server. */
    readonly alsoAt?: string | undefined
  } = {},
): Route {
  async function answer(_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { value, status } = await handler()
    return sendJson(reply.code(status), encodeWith(endpoint.answer, value))
  }
  return {
    endpoint,
    register(server) {
      server.get(API_PREFIX + endpoint.path, answer)
      if (options.alsoAt !== undefined) server.get(options.alsoAt, answer)
    },
  }
}

/** Serves a POST endpoint; the handler reads the body itself, the network has its own words for a wrong one. */
export function postRoute<Answer>(
  endpoint: Pick<Endpoint<Parameters, Answer>, 'method' | 'path' | 'answer'>,
  handler: (body: unknown) => Answered<Answer>,
): Route {
  async function make(body: unknown): Promise<MadeAnswer> {
    const value = await handler(body)
    const written = value === undefined ? { type: undefined, body: '' } : write(endpoint, value)
    return { written, lasting: null }
  }
  return {
    endpoint,
    register: (server) =>
      server.post(
        API_PREFIX + endpoint.path,
        sending(({ body }) => make(body)),
      ),
    quickPost: { make },
  }
}
