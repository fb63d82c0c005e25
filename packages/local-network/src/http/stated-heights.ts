import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiRefusal } from './api-refusal.ts'
import type { LiveChain } from './kept-answers.ts'

/** Height up to which an answer may show the chain. */
export const HEIGHT_HEADER = 'x-hailstone-height'
/** Height that an answer must know: whoever saw it at one process of a network requires it of another. */
const MIN_HEIGHT_HEADER = 'x-hailstone-min-height'
/** Header, with its value, without which pages of other origins can read neither the height nor when to come back. */
export const EXPOSED_HEADER = 'access-control-expose-headers'
export const EXPOSED = `${HEIGHT_HEADER}, retry-after`

/** Time for which a request waits for its height, in ms. */
const MAX_WAIT_MS = 1500
/** A height that is so many macroblocks ahead does not come in that time. */
const MAX_AHEAD = 3
/**
 * Requests that wait at once; further ones are refused. One client may have as many as there are free places, so that
 * a place is left for others: half of them, where nobody else waits. A proxy is one client for all of its own.
 */
const MAX_WAITING = 256
/** Requests of one connection that wait at once. */
const MAX_WAITING_OF_CONNECTION = 4
/** Time after which a refused request should be sent again, in s. */
const RETRY_AFTER_S = 1

export type StatedHeights = {
  readonly height: () => number
  /** Returns when the height that a request requires can be there; null if nothing has to be waited for. */
  readonly wait: (request: IncomingMessage) => Promise<void> | null
  /** True if the chain is where a request requires it. Texts that are no heights are the server's to judge. */
  readonly isReached: (request: IncomingMessage) => boolean
  /** Adds the height to each answer of a server, and refuses requests for one that is not there with 503. */
  readonly register: (server: FastifyInstance) => void
}

/** Undefined where a request requires none; NaN for what is no height. */
function requiredBy({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const text = headers[MIN_HEIGHT_HEADER]
  if (text === undefined) return undefined
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

/**
 * Creates what several processes over one chain have in common with their clients: each answer states a height, and a
 * request may require one.
 *
 * @param parameters.height returns the height that answers of now may show
 * @param parameters.on emits macroblocks. @default nobody waits
 */
export function createStatedHeights(parameters: {
  readonly height: () => number
  readonly on?: LiveChain['on'] | undefined
}): StatedHeights {
  const { height, on } = parameters
  let waiting = 0
  const waitingOf = new Map<object | string, number>()

  const count = (key: object | string): number => waitingOf.get(key) ?? 0
  function change(key: object | string, by: 1 | -1): void {
    const next = count(key) + by
    if (next === 0) waitingOf.delete(key)
    else waitingOf.set(key, next)
  }

  const isReached = (request: Pick<IncomingMessage, 'headers'>): boolean => {
    const required = requiredBy(request)
    return required === undefined || height() >= required
  }

  return {
    height,
    isReached,
    wait(request) {
      const required = requiredBy(request)
      if (on === undefined || required === undefined) return null
      if (!(height() < required && required <= height() + MAX_AHEAD)) return null
      const { socket } = request
      const client = socket.remoteAddress ?? ''
      if (socket.destroyed || count(socket) >= MAX_WAITING_OF_CONNECTION) return null
      if (count(client) >= MAX_WAITING - waiting) return null
      waiting++
      for (const key of [socket, client]) change(key, 1)
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          unsubscribe()
          socket.off('close', done)
          waiting--
          for (const key of [socket, client]) change(key, -1)
          resolve()
        }
        socket.once('close', done)
        const timer = setTimeout(done, MAX_WAIT_MS)
        timer.unref()
        const unsubscribe = on('macroblockClosed', () => {
          if (height() >= required) done()
        })
      })
    },
    register(server) {
      server.addHook('onRequest', async (request, reply) => {
        if (request.method === 'OPTIONS' || isReached(request.raw)) return
        const required = requiredBy(request.raw) ?? Number.NaN
        if (Number.isNaN(required))
          throw new ApiRefusal(400, `The header ${MIN_HEIGHT_HEADER} must be a height.`)
        reply.header('retry-after', String(RETRY_AFTER_S))
        throw new ApiRefusal(503, `The chain is at height ${height()} here, before ${required}.`)
      })
      server.addHook('onSend', async (_request, reply) => {
        reply.header(HEIGHT_HEADER, String(height())).header(EXPOSED_HEADER, EXPOSED)
      })
    },
  }
}
