import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type JsonValue, stringifyJson } from '@hailstone/protocol'
import { readOrNull } from './broken-json.ts'
import type { SocketTap } from './socket-tap.ts'

/** Request as the faults pass it on to a server. */
export type Question = {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Whole response, before it is written to the connection. */
export type Answer = {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

/** A question on its way, and the connection it came by. */
export type Exchange = { readonly question: Question; readonly socketTap: SocketTap }

/** Gives the answer to a question, or null when none is ever to be sent. */
export type Outcome = Promise<Answer | null>

/** Headers that belong to a connection and not to an answer. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

const LONGEST_BODY_BYTES = 1024 * 1024

/** The whole body; what is longer than any honest one is cut off and the server refuses it by itself. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= LONGEST_BODY_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function readQuestion(request: IncomingMessage): Promise<Question> {
  const { method = 'GET', url = '/', headers } = request
  return { method, url, headers: { ...headers }, body: await bodyOf(request) }
}

export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name.toLowerCase()))
  const said = headers['content-length'] ?? body.length
  const hasBody = status !== 204 && status !== 304
  response.writeHead(status, { ...Object.fromEntries(kept), ...(hasBody ? { 'content-length': said } : {}) })
  response.end(hasBody ? body : undefined)
}

/** The same answer with another body, and without what was said about the old one. */
export function withBody(answer: Answer, body: Buffer | string, type?: string): Answer {
  const { 'content-length': _, ...headers } = answer.headers
  return {
    ...answer,
    headers: type === undefined ? headers : { ...headers, 'content-type': type },
    body: Buffer.from(body),
  }
}

/** The same answer with another JSON value; unchanged when it holds none. */
export function withJson(answer: Answer, change: (value: NonNullable<JsonValue>) => JsonValue): Answer {
  const value = readOrNull(answer.body.toString('utf8'))
  return value === null ? answer : withBody(answer, stringifyJson(change(value)))
}
