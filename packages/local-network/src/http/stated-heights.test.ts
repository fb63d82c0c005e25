import type { IncomingMessage } from 'node:http'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createStatedHeights } from './stated-heights.ts'
import { behaveLikePublicServer } from './web-manners.ts'

const asking = (required: string) =>
  ({ headers: { 'x-hailstone-min-height': required } }) as unknown as IncomingMessage

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

test('of many requests some wait: the others are refused at once, and places become free again', async () => {
  const { heights, close } = heightsAt(5)
  const waits = Array.from({ length: 1000 }, () => heights.wait(asking('6')))
  expect(waits.filter((one) => one !== null)).toHaveLength(256)
  close()
  await Promise.all(waits)
  expect(heights.wait(asking('7'))).not.toBeNull()
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
