import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Follower } from '../open-follower.ts'

/** Pages that are told at the same time; others ask every 15 s. */
const MAX_STREAMS = 100
/** Of them those of one person, with all sessions and tokens: nobody takes the place of all others. */
const MAX_OF_ONE = 10
/** Shortest time between two messages, in ms: while the index catches up, it commits many times a second. */
const PAUSE_MS = 1000
/** A proxy ends what is silent for a minute, and a page asks by itself after 45 s. Comments of a stream reach no page. */
const SIGN_OF_LIFE_MS = 15_000
/** After it a page opens the stream anew, which asks for its session again. */
const STREAM_MS = 600_000

/** Returns what the streams of one person with all sessions and tokens have in common, or those of one link. */
function keyOf({ visitor }: FastifyRequest): string {
  if (visitor?.kind === 'person') return String(visitor.person.id)
  return visitor?.kind === 'token' ? String(visitor.person) : (visitor?.csrf ?? '')
}

/**
 * Serves `/v1/live`: server-sent events that name the newest macroblock, one when the stream opens and one for each change.
 *
 * @param keep called with the connection of a stream, which makes room for no other
 */
export function serveLive(
  server: FastifyInstance,
  { subscribe, status }: Follower,
  keep: (socket: Socket) => void,
): void {
  const streams = new Map<PassThrough, string>()
  let sentAt = Number.NEGATIVE_INFINITY
  let waiting: NodeJS.Timeout | undefined
  const message = (): string => {
    const { failure: _, ...tip } = status()
    return `data: ${JSON.stringify(tip)}\n\n`
  }
  const send = (text: string): void => {
    for (const stream of streams.keys()) {
      // A page that does not read is let go: it asks again when it is back.
      if (stream.writableNeedDrain) stream.destroy()
      else stream.write(text)
    }
  }
  const publish = (): void => {
    waiting = undefined
    sentAt = performance.now()
    send(message())
  }
  const unsubscribe = subscribe(() => {
    waiting ??= setTimeout(publish, Math.max(0, sentAt + PAUSE_MS - performance.now()))
  })
  const signs = setInterval(() => send('event: alive\ndata: {}\n\n'), SIGN_OF_LIFE_MS)
  server.addHook('preClose', async () => {
    unsubscribe()
    clearInterval(signs)
    clearTimeout(waiting)
    for (const stream of streams.keys()) stream.end()
  })
  // A question for the headers alone has no stream that could end.
  const options = { config: { role: 'viewer' }, exposeHeadRoute: false } as const
  server.get('/v1/live', options, async (request, reply) => {
    const key = keyOf(request)
    if ([...streams.values()].filter((other) => other === key).length >= MAX_OF_ONE)
      return reply.code(429).send({ error: `One person has ${MAX_OF_ONE} streams at most.` })
    if (streams.size >= MAX_STREAMS)
      return reply.code(503).send({ error: 'Too many pages are told of new macroblocks.' })
    const stream = new PassThrough()
    const ending = setTimeout(() => stream.end(), STREAM_MS)
    streams.set(stream, key)
    keep(request.socket)
    stream.on('close', () => {
      clearTimeout(ending)
      streams.delete(stream)
    })
    stream.write(`retry: 2000\n${message()}`)
    // nginx holds back what is small otherwise.
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
  })
}
