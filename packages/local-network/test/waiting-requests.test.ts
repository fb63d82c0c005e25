import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { createRequestTurns } from '../src/http/request-turns.ts'
import { ask } from './plain-http.ts'
import { until } from './until.ts'

test('D-8: requests that wait take no turn of others, and keep their place on their own connection', async () => {
  let release = (): void => {}
  const ready = new Promise<void>((resolve) => {
    release = resolve
  })
  const turns = createRequestTurns()
  let arrived = 0
  const server = createServer((request, response) => {
    const { url } = request
    arrived++
    const serve = () => void response.end(url)
    turns.enter(request, response, serve, url === '/later' ? ready : null)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  try {
    const waiting = Array.from({ length: 40 }, () => ask(`${origin}/later`, { timeoutMs: 600_000 }))
    await until(() => arrived === waiting.length)
    expect(await ask(`${origin}/now`, { timeoutMs: 600_000 })).toMatchObject({ status: 200, text: '/now' })
    const socket = createConnection({ host: '127.0.0.1', port })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    const head = ' HTTP/1.1\r\nHost: localhost\r\n\r\n'
    socket.write(`GET /later${head}GET /behind${head}`)
    await until(() => arrived === waiting.length + 3)
    expect(await ask(`${origin}/now`, { timeoutMs: 600_000 })).toMatchObject({ status: 200 })
    expect(text).toBe('')
    release()
    for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ status: 200, text: '/later' })
    await until(() => text.includes('/behind'))
    expect(text.indexOf('/later')).toBeLessThan(text.indexOf('/behind'))
    socket.destroy()
  } finally {
    release()
    server.closeAllConnections()
    server.close()
  }
})
