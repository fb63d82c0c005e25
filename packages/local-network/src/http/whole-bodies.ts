import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { hasBody } from '@hailstone/fault-injection'
import { createShares } from './shares.ts'

/** Longest body, in bytes, that is read. */
export const BODY_LIMIT_BYTES = 102_400
/** Bodies that wait, for their end or for their turn, take so much memory in all; the oldest ones are given up. */
const MAX_BYTES = 32 * 1024 * 1024
/** Memory that a body costs besides its bytes, in bytes. */
const BODY_COST = 1024

const bodies = new WeakMap<IncomingMessage, Buffer>()

/** The body of a request that was waited for, which can no longer be read from the request itself. */
export const wholeBodyOf = (request: IncomingMessage): Buffer | undefined => bodies.get(request)

/**
 * Waits for the bodies of requests, so that a body that never ends keeps nobody's place but its own. For row A-8,
 * slow-bodies: a p99 of 482 ms, and of 2,426 before. Fastify limits each body, and not all of them together.
 */
export function createWholeBodies({ maxBytes = MAX_BYTES }: { readonly maxBytes?: number | undefined }) {
  /** Requests that follow on the same connection while a body is awaited. */
  const followers = new WeakMap<Duplex, (() => void)[]>()
  const waiting = createShares<IncomingMessage>({ maxBytes, giveUp: ({ socket }) => void socket.destroy() })
  /** The requests of a connection whose bodies wait. */
  const waitingOf = new WeakMap<Duplex, Set<IncomingMessage>>()
  return {
    release,
    /**
     * Calls back with a request that is whole, or that has more than the longest body: then its connection ends with
     * the answer. Requests of one connection keep their order. Of a connection that ends before it does not call back.
     */
    whenWhole(request: IncomingMessage, response: ServerResponse, onWhole: () => void): void {
      const line = followers.get(request.socket)
      const begin = (): void => waitFor(request, response, onWhole)
      if (line === undefined) begin()
      else line.push(begin)
    },
  }

  function waitFor(request: IncomingMessage, response: ServerResponse, onWhole: () => void): void {
    if (!hasBody(request)) {
      onWhole()
      return
    }
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) {
      response.shouldKeepAlive = false
      onWhole()
      return
    }
    const { socket } = request
    const line: (() => void)[] = []
    followers.set(socket, line)
    collect(request, (isTooLong) => {
      if (isTooLong) response.shouldKeepAlive = false
      followers.delete(socket)
      onWhole()
      for (let next = line.shift(); next !== undefined; next = line.shift()) {
        next()
        followers.get(socket)?.push(...line.splice(0))
      }
    })
  }

  /** Says that a body no longer waits: the request has its turn, or nobody can get its answer. */
  function release(request: IncomingMessage): void {
    waiting.remove(request)
    waitingOf.get(request.socket)?.delete(request)
  }

  function hold(request: IncomingMessage): void {
    const { socket } = request
    const requests = waitingOf.get(socket) ?? new Set()
    requests.add(request)
    waiting.set(request, BODY_COST)
    if (waitingOf.has(socket)) return
    waitingOf.set(socket, requests)
    socket.once('close', () => {
      for (const one of requests) release(one)
    })
  }

  function collect(request: IncomingMessage, onWhole: (isTooLong: boolean) => void): void {
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (isTooLong: boolean): void => {
      request.off('data', take).off('end', end)
      bodies.set(request, Buffer.concat(chunks, bytes))
      onWhole(isTooLong)
    }
    const take = (chunk: Buffer): void => {
      // A piece may be part of something larger, which it would keep.
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes <= BODY_LIMIT_BYTES) waiting.set(request, bytes + BODY_COST * chunks.length)
      else {
        request.pause()
        settle(true)
      }
    }
    const end = (): void => settle(false)
    hold(request)
    request.on('data', take).once('end', end)
  }
}
