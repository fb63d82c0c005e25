import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { serve, type TestServer } from '../../test/support/serve.ts'
import type { Transport } from '../transport/transport.ts'
import { createUndiciTransport } from './undici-transport.ts'

let server: TestServer | undefined
let transport: Transport | undefined

afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  await transport?.close?.()
})

async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: { readonly limitBytes?: number; readonly connections?: number } = {},
): Promise<Transport> {
  server = await serve(answer)
  transport = createUndiciTransport({ apiUrl: server.apiUrl, ...options })
  return transport
}

const ask = (over: Transport, timeoutMs = 60_000, path: `/${string}` = '/height') =>
  over.request({ method: 'GET', path, timeoutMs })

it('notices a deadline while the request still waits for a connection', async () => {
  let asked = 0
  const over = await open(() => asked++, { connections: 1 })
  const hanging = ask(over).catch(() => 'ended with the server')
  await expect(ask(over, 50)).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
  expect(asked).toBeLessThanOrEqual(1)
  await server?.[Symbol.asyncDispose]()
  expect(await hanging).toBe('ended with the server')
  server = undefined
})

it('closes while the first request still opens it', async () => {
  const over = await open((_, response) => response.end('1'))
  const asked = ask(over).catch(() => 'closed')
  await expect(over.close?.()).resolves.toBeNull()
  await asked
})

it('puts texts together that come in pieces, in the middle of a character, too', async () => {
  const bytes = Buffer.from('{"name":"é😀"}')
  const over = await open((_, response) => {
    response.write(bytes.subarray(0, 10))
    setTimeout(() => response.end(bytes.subarray(10)), 20)
  })
  expect((await ask(over)).text).toBe('{"name":"é😀"}')
})

it('follows a redirect whose body nobody wants, however long that is', async () => {
  const over = await open((request, response) => {
    if (request.url?.endsWith('/moved') === true) return response.end('"here"')
    response.writeHead(307, { location: `${request.url}/moved` })
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 5)
    return response.on('close', () => clearInterval(timer))
  })
  expect((await ask(over)).text).toBe('"here"')
})

it('breaks off where an answer is too long, and goes on with the next', async () => {
  const over = await open(
    (request, response) => response.end('x'.repeat(request.url?.endsWith('/long') === true ? 101 : 100)),
    { limitBytes: 100 },
  )
  await expect(ask(over, 60_000, '/long')).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  expect((await ask(over)).text).toHaveLength(100)
})
