import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createStatedHeights } from './stated-heights.ts'
import { behaveLikePublicServer } from './web-manners.ts'

/** A connection, as far as it matters here: where it is from, and that it ends. */
const connection = (remoteAddress = '192.0.2.1') =>
  Object.assign(new EventEmitter(), { remoteAddress, destroyed: false })

const asking = (required: string, socket = connection()) =>
  ({ headers: { 'x-hailstone-min-height': required }, socket }) as unknown as IncomingMessage

/** Heights of a chain that a test closes macroblocks of. */
function heightsAt(height: number) {
  const listeners = new Set<() => void>()
  let now = height
  const heights = createStatedHeights({
    height: () => now,
    on: (_, listener) => {
      const call = listener as () => void
      listeners.add(call)
      return () => listeners.delete(call)
    },
  })
  return {
    heights,
    close() {
      now++
      for (const call of listeners) call()
    },
  }
}

test('only what the next macroblocks may bring is waited for', async () => {
  const { heights, close } = heightsAt(5)
  for (const required of ['0', '5', '9', '1000000', '999999999999999', 'soon', '-1', ''])
    expect(heights.wait(asking(required)), required).toBeNull()
  expect(heights.wait({ headers: {} } as IncomingMessage)).toBeNull()
  const waiting = heights.wait(asking('7'))
  expect(waiting).not.toBeNull()
  close()
  expect(heights.isReached(asking('7'))).toBe(false)
  close()
  await waiting
  expect(heights.isReached(asking('7'))).toBe(true)
  expect(heights.isReached(asking('soon'))).toBe(false)
})

test('of many requests some wait, and no client has the places of all others', async () => {
  const { heights, close } = heightsAt(5)
  const waitingOf = (address: string, required = '6'): number =>
    Array.from({ length: 300 }, () => heights.wait(asking(required, connection(address)))).filter(
      (one) => one !== null,
    ).length
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((one) => waitingOf(one))).toEqual([128, 64, 32])
  for (let client = 0; client < 32; client++)
    expect(heights.wait(asking('6', connection(`198.51.100.${client}`)))).not.toBeNull()
  expect(waitingOf('203.0.113.1')).toBe(0)
  close()
  expect(waitingOf('203.0.113.1', '7')).toBe(128)
})

test('a connection has few places, and gives them back when it ends', async () => {
  const { heights } = heightsAt(5)
  const socket = connection()
  const waits = Array.from({ length: 16 }, () => heights.wait(asking('6', socket)))
  expect(waits.filter((one) => one !== null)).toHaveLength(4)
  expect(socket.listenerCount('close')).toBe(4)
  socket.emit('close')
  await Promise.all(waits)
  expect(socket.listenerCount('close')).toBe(0)
  expect(heights.wait(asking('6', socket))).not.toBeNull()
  expect(heights.wait(asking('6', Object.assign(connection(), { destroyed: true })))).toBeNull()
})

test('a refused height is no failure: the log says nothing of it', async () => {
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const server = fastify()
  behaveLikePublicServer(server, { debug: note, info: note, warn: note, error: note })
  heightsAt(5).heights.register(server)
  server.get('/', async () => 'an answer')
  server.get('/broken', async () => Promise.reject(new Error('a fault')))
  for (const [required, status] of [
    ['999999999999999', 503],
    ['soon', 400],
    ['5', 200],
  ] as const) {
    const answer = await server.inject({ url: '/', headers: { 'x-hailstone-min-height': required } })
    expect(answer.statusCode, required).toBe(status)
  }
  expect(lines).toEqual([])
  expect((await server.inject('/broken')).statusCode).toBe(500)
  expect(lines).toEqual(['request failed'])
  await server.close()
})
