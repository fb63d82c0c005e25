import type { Transport, TransportAnswer, TransportRequest } from '@hailstone/client'
import { apiError } from '@hailstone/protocol'
import { onAbort } from '../run/on-abort.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import { type ApiAnswer, answer } from './answer.ts'
import { drawFault, type HttpFault, type HttpFaultRates } from './http-faults.ts'
import type { ChainView } from './simulated-chain.ts'

export type ApiNodeParameters = {
  readonly run: Run
  readonly name: string
  /** Returns the node's current view of the chain. */
  readonly view: () => ChainView
  /** Accepts a posted body as the pool does. */
  readonly post: (body: string, node: string) => ApiAnswer
  /** Called with every request before it leaves its program. */
  readonly inspect: (request: TransportRequest, program: Program) => void
}

/** One API node behind its own network connection. */
export type ApiNode = {
  readonly name: string
  readonly url: string
  faultRates: HttpFaultRates
  /** True if nothing listens at its address. */
  isAway: boolean
  /** Replaces an answer before it is sent; null keeps it. */
  lie: ((path: string, query: URLSearchParams) => ApiAnswer | null) | null
  readonly transportOf: (program: Program) => Transport
}

const JSON_TYPE = 'application/json; charset=utf-8'
/** Latest arrival of a late request after it was sent, in ms. */
const LATEST_MS = 25_000

const PAGE = '<!doctype html><title>Sign in</title><p>Welcome to our network.'
/** Answers of a wrong shape. An empty list is not among them: it would be a valid, false answer. */
const SHAPES = [
  'null',
  '5',
  '"yes"',
  '[null]',
  '[[]]',
  '{"height":"soon","records":5,"kblock":[],"err":"no"}',
]

export function createApiNode(parameters: ApiNodeParameters): ApiNode {
  const { run, name, view, post, inspect } = parameters
  const { chance, time } = run

  const node: ApiNode = {
    name,
    url: `https://${name}.test/api/v1`,
    faultRates: {},
    isAway: false,
    lie: null,
    transportOf,
  }

  function handle({ method, path, query = '', body = '' }: TransportRequest): ApiAnswer {
    if (method === 'POST') return post(body, name)
    const asked = new URLSearchParams(query)
    return node.lie?.(path, asked) ?? answer(view(), path, asked)
  }

  /** Applies a fault to an honest answer. */
  function spoil({ status, text }: ApiAnswer, fault: HttpFault): TransportAnswer {
    const whole = { status, text, contentType: JSON_TYPE, retryAfter: null }
    if (fault === 'cut')
      return {
        ...whole,
        text: text === '' ? '{' : text.slice(0, chance.whole(1, Math.max(1, text.length - 1))),
      }
    if (fault === 'garbled') {
      const at = chance.whole(0, text.length)
      return { ...whole, text: `${text.slice(0, at)}\u0001\ufffd${text.slice(at)}` }
    }
    if (fault === 'wrong shape') return { ...whole, text: chance.pick(SHAPES as [string, ...string[]]) }
    return whole
  }

  function transportOf(program: Program): Transport {
    const request = (asked: TransportRequest): Promise<TransportAnswer> => {
      if (program.isOver()) return new Promise(() => undefined)
      if (asked.signal?.aborted) return Promise.reject(asked.signal.reason)
      inspect(asked, program)
      return new Promise((resolve, reject) => exchange(program, asked, { resolve, reject }))
    }
    return { request, close: async () => undefined }
  }

  function exchange(
    program: Program,
    asked: TransportRequest,
    end: { readonly resolve: (answer: TransportAnswer) => void; readonly reject: (reason: unknown) => void },
  ): void {
    const { path, timeoutMs, signal, method } = asked
    const fault: HttpFault = node.isAway ? 'refused' : drawFault(chance, node.faultRates)
    const label = `${method} ${path}${asked.query === undefined ? '' : `?${asked.query.slice(0, 40)}`}`
    if (fault === 'none') run.note(name, label)
    else run.fault(name, `${label} ${node.isAway ? 'away' : fault}`)
    let isEnded = false
    const finish = (settle: () => void): void => {
      if (isEnded) return
      isEnded = true
      cancelDeadline()
      leave()
      settle()
    }
    const leave = onAbort(signal, () => finish(() => end.reject(signal?.reason)))
    const fail = (reason: string): void =>
      program.deliver(() => finish(() => end.reject(apiError('REQUEST_FAILED', { path, reason }))))
    const give = (given: TransportAnswer): void => program.deliver(() => finish(() => end.resolve(given)))
    const cancelDeadline = time.after(timeoutMs, () =>
      program.deliver(() =>
        finish(() => end.reject(apiError('REQUEST_TIMEOUT', { path, timeoutMs: Math.round(timeoutMs) }))),
      ),
    )
    const there = chance.ms(1, 60)
    const back = fault === 'slow' ? chance.ms(500, 9_000) : chance.ms(1, 60)
    const later = (delayMs: number, doing: () => void): void => void time.after(delayMs, doing)
    switch (fault) {
      case 'refused':
        later(there, () => fail('the connection was refused'))
        break
      case 'request lost':
        later(there, () => fail('the connection was reset'))
        break
      case 'silence':
        break
      case 'silence after':
        later(there, () => void handle(asked))
        break
      case 'late':
        later(chance.ms(there, LATEST_MS), () => void handle(asked))
        later(there + back, () => fail('the connection was reset'))
        break
      case 'answer lost':
        later(there, () => {
          handle(asked)
          later(back, () => fail('the connection was reset'))
        })
        break
      case 'busy':
        later(there + back, () => give(plain(503, '{"err":1,"message":"try later"}')))
        break
      case 'rate limit':
        later(there + back, () => give(plain(429, '', chance.pick(['1', '7', '600', 'soon', '']))))
        break
      case 'error page':
        later(there + back, () => give(plain(500, PAGE)))
        break
      case 'portal':
        later(there + back, () => give({ ...plain(200, PAGE), contentType: 'text/html' }))
        break
      default:
        if (fault === 'twice') later(chance.ms(there, LATEST_MS), () => void handle(asked))
        later(there, () => {
          const spoken = handle(asked)
          later(back, () => give(spoil(spoken, fault)))
        })
    }
  }

  return node
}

const plain = (status: number, text: string, retryAfter: string | null = null): TransportAnswer => ({
  status,
  text,
  contentType: JSON_TYPE,
  retryAfter,
})
