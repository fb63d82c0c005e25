import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

/** Response as a client receives it. */
export type Seen = {
  /** Null when the head of an answer never came. */
  readonly status: number | null
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  /** Code of the error that ended it, such as `ECONNRESET`; null for a whole answer. */
  readonly error: string | null
  readonly tookMs: number
}

export type AskOptions = {
  readonly method?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Then the client gives up. @default 30000 */
  readonly timeoutMs?: number | undefined
}

/** Asks over a connection of its own, with nothing but Node, and never throws. */
export function ask(url: string, options: AskOptions = {}): Promise<Seen> {
  const { method = 'GET', body, timeoutMs = 30_000 } = options
  const began = performance.now()
  const chunks: Buffer[] = []
  let status: number | null = null
  let headers: IncomingHttpHeaders = {}
  return new Promise((resolve) => {
    const end = (error: string | null): void => {
      clearTimeout(timer)
      sent.destroy()
      const whole = Buffer.concat(chunks)
      const tookMs = performance.now() - began
      resolve({ status, headers, body: whole, text: whole.toString('utf8'), error, tookMs })
    }
    const failed = (error: NodeJS.ErrnoException): void => end(error.code ?? error.message)
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { method, agent: false, headers: { ...json, ...options.headers } })
    const timer = setTimeout(() => end('TIMEOUT'), timeoutMs)
    sent.on('error', failed)
    sent.on('response', (answer) => {
      status = answer.statusCode ?? null
      headers = answer.headers
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', failed)
      answer.on('end', () => end(null))
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export type RawExchange = { readonly bytes: Buffer; readonly ended: 'end' | 'reset' | 'open' }

/**
 * Writes bytes on a connection, and tells which bytes came back and how it ended; `open` when it has not within the
 * time, or as soon as the bytes asked for are there.
 */
export function exchangeBytes(
  url: string,
  text: string,
  { waitMs = 30_000, until }: { readonly waitMs?: number; readonly until?: string } = {},
): Promise<RawExchange> {
  const { hostname, port } = new URL(url)
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const end = (ended: RawExchange['ended']): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ bytes: Buffer.concat(chunks), ended })
    }
    const timer = setTimeout(() => end('open'), waitMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (until !== undefined && Buffer.concat(chunks).includes(until)) end('open')
    })
    socket.on('end', () => end('end'))
    socket.on('error', () => end('reset'))
    socket.write(text)
  })
}
