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

export const API_PREFIX = '/api/v1'
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The texts of a query under our names; an absent parameter is undefined. Nothing about them is checked. */
export type QueryTexts<P extends Parameters> = { readonly [K in keyof P]?: string }

type Answered<Answer> = Answer | undefined | Promise<Answer | undefined>

/** A route and its handler; undefined is a body of zero length. */
export type Route = {
  readonly endpoint: { readonly method: 'GET' | 'POST'; readonly path: string }
  readonly register: (server: FastifyInstance) => void
}

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
function send<Answer>(
  reply: FastifyReply,
  endpoint: Pick<Endpoint<Parameters, Answer>, 'answer' | 'form'>,
  value: Answer,
): FastifyReply {
  const wire = encodeWith(endpoint.answer, value)
  return endpoint.form === 'text' ? reply.type(TEXT_TYPE).send(String(wire)) : sendJson(reply, wire)
}

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
  } = {},
): Route {
  const { hasTypeWhenEmpty = false, longAnswerKeptMs = 0 } = options
  let kept: { readonly body: Buffer; readonly untilMs: number } | null = null
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = request.query as Readonly<Record<string, unknown>>
    refuseRepeated(endpoint.parameters, query)
    if (kept !== null && performance.now() < kept.untilMs) return reply.type(JSON_TYPE).send(kept.body)
    const value = await handler(withoutNul(decodeQuery(endpoint, query)))
    if (value !== undefined && longAnswerKeptMs > 0) {
      const body = Buffer.from(stringifyJson(encodeWith(endpoint.answer, value)))
      kept = body.length > LONG_BYTES ? { body, untilMs: performance.now() + longAnswerKeptMs } : null
      return reply.type(JSON_TYPE).send(body)
    }
    if (value !== undefined) return send(reply, endpoint, value)
    return hasTypeWhenEmpty ? reply.type(JSON_TYPE).send() : reply.send()
  }
  return { endpoint, register: (server) => server.get(API_PREFIX + endpoint.path, answer) }
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
    return send(reply.code(status), endpoint, value)
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
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const value = await handler(request.body)
    return value === undefined ? reply.send() : sendJson(reply, encodeWith(endpoint.answer, value))
  }
  return { endpoint, register: (server) => server.post(API_PREFIX + endpoint.path, answer) }
}
