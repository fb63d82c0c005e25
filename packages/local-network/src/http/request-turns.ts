import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SocketTap } from '@hailstone/fault-injection'
import { acceptedConnections } from '../accepted-connections.ts'
import { createFairTurns } from '../fair-turns.ts'
import { COSTLY_ROOM, costOf } from './request-cost.ts'
import { createShares } from './shares.ts'
import { createWholeBodies } from './whole-bodies.ts'

/** Requests that are worked on at once. The embedded database answers one question after the other anyway. */
const MAX_RUNNING = 16
/** Time for requests before the event loop turns to sockets, miners and timers again. */
const SLICE_MS = 8
/** A connection that asked for nothing for so long has its turn before those that ask all the time. */
const REST_MS = 1000
/** Requests of one connection that are read before its answers are. Further ones stay in the sender's system. */
const MAX_OPEN = 16
/** From so many waiting requests on, no connection has another one read before it has its answer. */
const OVERLOADED = 512

/** Time that a client has to read one answer, in ms. */
const READING_MS = 20_000
/** Answers that nobody reads take so much memory in all; those that wait longest are given up. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

export type RequestTurns = {
  readonly enter: (request: IncomingMessage, response: ServerResponse, serve: () => void) => void
  /** For connections: how many requests they may have open. */
  readonly maxOpenRequests: () => number
}

/**
 * Gives connections turns: the next request of a connection is begun when the client has read the answer to the one
 * before, so an answer is never made for somebody who reads none. Whoever asks rarely goes first. A request has its turn
 * when its body is there.
 *
 * Row A-6 needs it. Requests of an honest reader that failed during the attack, on a busy machine on 29 November 2026, here,
 * with Fastify alone, and with @fastify/under-pressure and @fastify/rate-limit for each connection: unread-histories 0, 52
 * and 47 %, online-lists 0, 0 (p99 5.6 s for 1.9 s) and 18 %, pipelining 0, – and 67 %, with 100, – and 0 % of the miner's
 * publications kept. Those refuse whoever asks while the process is busy; and a limit for each address is against row A-7.
 */
export function createRequestTurns(
  options: {
    readonly readingMs?: number | undefined
    readonly maxUnreadBytes?: number | undefined
    readonly maxBodyBytes?: number | undefined
    /** Called with what answering a request has thrown; its connection is closed. @default nothing happens */
    readonly onFailure?: ((error: unknown) => void) | undefined
  } = {},
): RequestTurns {
  const { readingMs = READING_MS, maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const lastTurn = new WeakMap<Duplex, number>()
  const known = new WeakSet<Duplex>()
  const unread = createShares<Duplex>({
    maxBytes: maxUnreadBytes,
    giveUp: (socket) => void socket.destroy(),
  })
  const bodies = createWholeBodies({ maxBytes: options.maxBodyBytes })
  const turns = createFairTurns<Duplex>({
    maxRunning: MAX_RUNNING,
    maxCost: COSTLY_ROOM,
    sliceMs: SLICE_MS,
    accepted: () => acceptedConnections(),
    isUrgent: (socket) => performance.now() - (lastTurn.get(socket) ?? Number.NEGATIVE_INFINITY) > REST_MS,
    onFailure: (socket, error) => {
      options.onFailure?.(error)
      socket.destroy()
    },
  })

  function begin(
    socket: Duplex,
    response: ServerResponse,
    free: { slot: () => void; member: () => void },
  ): void {
    lastTurn.set(socket, performance.now())
    // Node closes only the response it is sending. The others of a connection that ends would keep their slots.
    const end = (): void => {
      free.slot()
      free.member()
    }
    socket.once('close', end)
    response.once('prefinish', () => {
      free.slot()
      if (response.writableFinished) return
      const timer = setTimeout(() => socket.destroy(), readingMs)
      if (socket.writableLength > 0) unread.set(socket, socket.writableLength)
      response.once('close', () => {
        clearTimeout(timer)
        unread.remove(socket)
      })
    })
    response.once('close', () => {
      socket.off('close', end)
      free.member()
    })
  }

  return {
    maxOpenRequests: () => (turns.waiting() >= OVERLOADED ? 0 : MAX_OPEN),
    enter(request, response, serve) {
      const { socket } = request
      if (!known.has(socket)) {
        known.add(socket)
        socket.once('close', () => turns.leave(socket))
      }
      bodies.whenWhole(request, response, () => {
        let hasWaited = false
        turns.enter(
          socket,
          ({ freeSlot, freeMember }) => {
            bodies.release(request)
            // A client that ends its side after a request may still read; one that did so while it waited has given up.
            if (hasWaited && socket instanceof SocketTap && socket.hasEnded) socket.destroy()
            // Nobody can get the answer: the connection ended, or ends with the answer before.
            if (socket.destroyed || socket.writableEnded) {
              freeSlot()
              freeMember()
              return
            }
            begin(socket, response, { slot: freeSlot, member: freeMember })
            serve()
          },
          costOf(request.url ?? ''),
        )
        hasWaited = true
      })
    },
  }
}
