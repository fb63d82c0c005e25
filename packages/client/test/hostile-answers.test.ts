import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../src/node.ts'
import { serve } from './support/serve.ts'

const CONNECTIONS = 16

/** Writes one byte and never ends. */
const trickle = (response: ServerResponse): void => void response.write(' ')

it('A-18: redirects whose bodies never end take no connection away from later requests', async () => {
  let isHonest = true
  let redirects = 0
  await using server = await serve((request, response) => {
    if (isHonest || request.url === '/moved') {
      response.end('{"height":7}')
      return
    }
    redirects++
    trickle(response.writeHead(302, { location: '/moved' }))
  })
  const client = createClient({ apiUrl: server.apiUrl, timeoutMs: 60_000, retry: { maxAttempts: 1 } })
  await client.getHeight()
  isHonest = false
  const leaving = new AbortController()
  const asked = Array.from({ length: 2 * CONNECTIONS }, () => client.getHeight({ signal: leaving.signal }))
  await expect.poll(() => redirects).toBeGreaterThanOrEqual(CONNECTIONS)
  leaving.abort()
  await Promise.allSettled(asked)
  isHonest = true
  expect(await client.getHeight()).toBe(7)
  // Closing waits for what is under way, and nothing is.
  await client.close()
})

it('A-18: of a redirect no more than a little of the body is read, and it is followed', async () => {
  const sent = { bytes: 0, isOver: false }
  await using server = await serve((request, response) => {
    if (request.url === '/moved') {
      response.end('{"height":8}')
      return
    }
    response.writeHead(302, { location: '/moved' }).on('close', () => {
      sent.isOver = true
    })
    const write = (): void => {
      while (!sent.isOver && response.write(Buffer.alloc(16 * 1024))) sent.bytes += 16 * 1024
      response.once('drain', write)
    }
    write()
  })
  await using client = createClient({ apiUrl: server.apiUrl })
  expect(await client.getHeight()).toBe(8)
  await expect.poll(() => sent.isOver).toBe(true)
})

/** A server that says these bytes to whoever asks, and closes. */
async function saying(answer: Buffer): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}/api/v1`
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
const chunksOf = (text: string): string =>
  `${[...text].map((character) => `1\r\n${character}\r\n`).join('')}0\r\n\r\n`

it('A-18: an answer in chunks of one byte is read like any other', async () => {
  const text = `{"height":7,"note":"${'ab'.repeat(20_000)}"}`
  await using client = createClient({ apiUrl: await saying(Buffer.from(CHUNKED + chunksOf(text))) })
  expect(await client.getHeight()).toBe(7)
})

it.each([
  ['a header of a megabyte', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1024 * 1024)}\r\n\r\n`],
  ['a hundred thousand headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}\r\n`],
  ['early answers without end', 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(10_000)],
  ['trailers of a megabyte', `${CHUNKED}1\r\n7\r\n0\r\n${'x: y\r\n'.repeat(200_000)}\r\n`],
])('A-18: %s are refused', async (_, answer) => {
  await using client = createClient({ apiUrl: await saying(Buffer.from(answer)), retry: { maxAttempts: 1 } })
  await expect(client.getHeight()).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
})
