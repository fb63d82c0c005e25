import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { type Listener, openListener } from '@hailstone/fault-injection'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { serveReference } from '../src/http/reference/reference-page.ts'
import { requestLimits } from '../src/http/request-limits.ts'
import { createRequestTurns, type RequestTurns } from '../src/http/request-turns.ts'
import { wholeBodyOf } from '../src/http/whole-bodies.ts'
import { until } from './until.ts'

const listeners: Listener[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const listener of listeners.splice(0)) await listener.close()
})

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** The server of the network with another answer, and counts of what came and what was answered. */
async function start(serve: Serve, turns: RequestTurns = createRequestTurns(), maxConnections?: number) {
  const counts = { read: 0, begun: 0 }
  const server = createServer(requestLimits, (request, response) => {
    counts.read++
    turns.enter(request, response, () => {
      counts.begun++
      serve(request, response)
    })
  })
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    scheme: 'http',
    server,
    later: (ms, action) => void setTimeout(action, ms),
    maxOpenRequests: turns.maxOpenRequests,
    maxConnections,
  })
  listeners.push(listener)
  const connect = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port: listener.port }, () => resolve(socket))
      socket.on('error', () => {})
      sockets.push(socket)
    })
  return { listener, counts, connect }
}

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const large = Buffer.alloc(4 * 1024 * 1024, 'a')

const textOf = (socket: Socket): (() => string) => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('latin1')
}

test('A-6: of 20,000 unread requests one piece is read, and one answer is made', async () => {
  const { counts, connect } = await start((_, response) => void response.end(large))
  const greedy = await connect()
  greedy.pause()
  greedy.write(get().repeat(20_000))
  const honest = await connect()
  const text = textOf(honest)
  honest.write('GET /honest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await until(() => text().length > large.length)
  expect(counts.begun).toBeLessThanOrEqual(3)
  // The limit, and what was in the piece that reached it.
  expect(counts.read).toBeLessThan(16 + 4096 / get().length + 2)
})

test('A-6: every pipelined request of somebody who reads is answered, in order, bodies included', async () => {
  const { counts, connect } = await start((request, response) => {
    response.end(`<${request.url} ${wholeBodyOf(request)?.length ?? 0}>`)
  })
  const socket = await connect()
  const text = textOf(socket)
  const body = 'b'.repeat(10_000)
  const requests = Array.from({ length: 400 }, (_, at) =>
    at % 3 === 0
      ? `POST /${at} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      : get(`/${at}`),
  )
  socket.write(requests.join(''))
  await until(() => text().includes('</399 10000>'))
  const answered = [...text().matchAll(/<\/(\d+) (\d+)>/g)].map(([, at, bytes]) => [
    Number(at),
    Number(bytes),
  ])
  expect(answered).toEqual(requests.map((_, at) => [at, at % 3 === 0 ? body.length : 0]))
  expect(counts.begun).toBe(400)
})

test('A-6: connections that end with requests in line leave their places', async () => {
  let held = 0
  const { counts, connect } = await start((request, response) => {
    if (request.url === '/held') held++
    else response.end('answer')
  })
  for (let count = 0; count < 40; count++) {
    const before = counts.read
    const socket = await connect()
    socket.write(get('/held').repeat(3))
    await until(() => counts.read === before + 3)
    socket.destroy()
  }
  const honest = await connect()
  const text = textOf(honest)
  honest.write(get('/honest'))
  await until(() => text().includes('answer'))
  // Only the first request of each connection was begun; nobody could have had the answers to the others.
  expect(held).toBe(40)
})

test('A-6: requests behind an answer that ends its connection leave their places', async () => {
  const { counts, connect } = await start((request, response) => {
    if (request.url === '/last') response.shouldKeepAlive = false
    response.end('answer')
  })
  for (let count = 0; count < 40; count++) {
    const before = counts.read
    const socket = await connect()
    const closed = once(socket, 'close')
    socket.resume()
    socket.write(get('/last') + get('/never').repeat(2))
    await closed
    expect(counts.read).toBe(before + 3)
  }
  const honest = await connect()
  const text = textOf(honest)
  honest.write(get('/honest'))
  await until(() => text().includes('answer'))
})

test('A-6: whole bodies that wait for their turn take no more memory than others', async () => {
  const turns = createRequestTurns({ maxBodyBytes: 200_000 })
  const { counts, connect } = await start(() => {}, turns)
  const busy = await Promise.all(Array.from({ length: 16 }, connect))
  for (const socket of busy) socket.write(get())
  await until(() => counts.begun === 16)
  const body = 'b'.repeat(50_000)
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const posting = await Promise.all(Array.from({ length: 8 }, connect))
  for (const socket of posting) socket.write(post)
  await until(() => posting.filter(({ closed }) => closed).length === 5)
})

test('A-6: a large body goes through while many other requests wait', async () => {
  const held: ServerResponse[] = []
  const { counts, connect } = await start((request, response) => {
    if (request.method === 'GET') held.push(response)
    else response.end(`whole ${wholeBodyOf(request)?.length}`)
  })
  const greedy = await Promise.all(Array.from({ length: 15 }, connect))
  for (const socket of greedy) socket.write(get().repeat(100))
  await until(() => counts.begun === 15)
  const honest = await connect()
  const text = textOf(honest)
  const body = 'b'.repeat(90_000)
  honest.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await until(() => text().includes('whole 90000'))
})

const BEGINNINGS = {
  announced: `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\nx`,
  'in chunks': 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
}

test.each(Object.entries(BEGINNINGS))(
  'A-8: bodies that never end, %s, keep nobody waiting',
  async (_, half) => {
    const { counts, connect } = await start((_request, response) => void response.end('served'))
    const slow = await Promise.all(Array.from({ length: 100 }, connect))
    for (const socket of slow) socket.write(half)
    await until(() => counts.read === 100)
    const honest = await connect()
    const text = textOf(honest)
    honest.write(get())
    await until(() => text().includes('served'))
    expect(counts.begun).toBe(1)
  },
)

test('A-8: of bodies that take too much memory together, those that wait longest are given up', async () => {
  const { listener, counts, connect } = await start(
    (_, response) => void response.end('served'),
    createRequestTurns({ maxBodyBytes: 1024 * 1024 }),
  )
  const part = 'x'.repeat(80_000)
  for (let number = 0; number < 40; number++) {
    const slow = await connect()
    slow.resume()
    slow.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n${part}`)
  }
  await until(() => counts.read === 40 && listener.size() <= 13)
})

test('A-8: a connection that has not sent all of a request makes room before one that idles', async () => {
  const { listener, connect } = await start((_, response) => void response.end('served'), undefined, 40)
  const idle = await Promise.all(Array.from({ length: 20 }, connect))
  const texts = idle.map(textOf)
  for (const socket of idle) socket.write(get())
  await until(() => texts.every((text) => text().includes('served')))
  let closed = 0
  for (const socket of idle) socket.once('close', () => closed++)
  for (let number = 0; number < 100; number++) (await connect()).write(BEGINNINGS.announced)
  await until(() => listener.size() <= 40)
  expect(closed).toBe(0)
})

test('A-8: a body beyond the limit is refused before it has come, and ends its connection', async () => {
  const { connect } = await start((request, response) => void response.end(`${wholeBodyOf(request)?.length}`))
  const announced = await connect()
  const first = textOf(announced)
  announced.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nx')
  await new Promise((resolve) => announced.once('end', resolve))
  expect(first()).toContain('Connection: close')
  const chunked = await connect()
  const second = textOf(chunked)
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  chunked.write(`POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`)
  await new Promise((resolve) => chunked.once('close', resolve))
  expect(second()).toContain('Connection: close')
})

test('A-6: who does not read an answer in time is cut off', async () => {
  const { listener, connect } = await start(
    (_, response) => void response.end(Buffer.alloc(16 * 1024 * 1024)),
    createRequestTurns({ readingMs: 100 }),
  )
  const slow = await connect()
  slow.pause()
  slow.write(get())
  await until(() => listener.size() === 1)
  await until(() => listener.size() === 0)
})

test('A-6: of unread answers that take too much memory together, the oldest are given up', async () => {
  const answer = 8 * 1024 * 1024
  const { listener, counts, connect } = await start(
    (_, response) => void response.end(Buffer.alloc(answer)),
    createRequestTurns({ maxUnreadBytes: 3 * answer }),
  )
  for (let number = 0; number < 10; number++) {
    const slow = await connect()
    slow.pause()
    slow.write(get())
  }
  await until(() => counts.begun === 10)
  await until(() => listener.size() <= 5)
})

test('A-6: connections that idle in all places make room for one that asks', async () => {
  const { listener, connect } = await start((_, response) => void response.end('served'), undefined, 40)
  for (let number = 0; number < 200; number++) await connect()
  const honest = await connect()
  const text = textOf(honest)
  honest.write(get())
  await until(() => text().includes('served'))
  await until(() => listener.size() <= 40)
})

test('A-6: the reference is made once, from one buffer, and has no files but its own', async () => {
  let made = 0
  const document = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {}, toJSON }
  function toJSON(): object {
    made++
    return { openapi: '3.1.0' }
  }
  const server = fastify()
  serveReference(server, document as never, async () => ({}))
  for (let count = 0; count < 50; count++)
    expect((await server.inject('/docs/json')).body).toBe('{"openapi":"3.1.0"}')
  expect(made).toBe(1)
  for (const file of ['reference.js', 'scalar.js'])
    expect((await server.inject(`/docs/${file}`)).statusCode).toBe(200)
  for (const path of ['/docs/static/reference.js', '/docs/reference.j%73', '/docs/x', '/docs/scalar.js.gz'])
    expect((await server.inject(path)).statusCode, path).toBe(404)
  await server.close()
})
