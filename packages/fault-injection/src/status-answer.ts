import type { HttpFaults } from './fault-script.ts'
import type { Answer } from './http-exchange.ts'

export type StatusOptions = HttpFaults['status']

const page = (code: number): string =>
  `<!DOCTYPE html><html><head><title>${code}</title></head><body><h1>${code}</h1></body></html>`

function bodyOf(code: number, kind: StatusOptions['body']): { readonly type: string; readonly text: string } {
  if (kind === 'json') {
    return { type: 'application/json; charset=utf-8', text: '{"err":1,"message":"Something went wrong..."}' }
  }
  return { type: 'text/html; charset=utf-8', text: kind === 'empty' ? '' : page(code) }
}

function retryAfter({ retryAfter: given, retryAfterDateMs }: StatusOptions): { 'retry-after'?: string } {
  if (retryAfterDateMs !== undefined)
    return { 'retry-after': new Date(Date.now() + retryAfterDateMs).toUTCString() }
  return given === undefined ? {} : { 'retry-after': String(given) }
}

/** An answer with another status. @param genuine what the network itself said, where it was asked */
export function statusAnswer(options: StatusOptions, genuine: Answer | null): Answer {
  const { code, body = 'html' } = options
  if (body === 'genuine' && genuine !== null)
    return { ...genuine, status: code, headers: { ...genuine.headers, ...retryAfter(options) } }
  const { type, text } = bodyOf(code, body)
  return {
    status: code,
    headers: { 'content-type': type, 'access-control-allow-origin': '*', ...retryAfter(options) },
    body: Buffer.from(text),
  }
}
