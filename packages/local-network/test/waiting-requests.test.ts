import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { createApi } from '../src/http/index.ts'
import { createRequestTurns } from '../src/http/request-turns.ts'
import { ask } from './plain-http.ts'
import { quickNetwork } from './quick-network.ts'
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

test('D-8: a request that is ahead by one macroblock is answered when that is announced, and not refused', async () => {
  await using network = await quickNetwork({ seed: 'waiting' })
  let isListening = false
  const api = await createApi({
    store: network.store,
    live: {
      tip: network.producer.tip,
      on(name, listener) {
        const unsubscribe = network.on(name, listener)
        // The request waits from here on, and nothing else brings the macroblock.
        if (isListening && name === 'macroblockClosed') void network.producer.closeNow()
        return unsubscribe
      },
    },
    height: network.clients.height,
    mempool: network.pool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: 3_600_000,
  })
  try {
    const origin = await api.listen({ host: '127.0.0.1', port: 0 })
    isListening = true
    const answer = await ask(`${origin}/api/v1/height`, { headers: { 'x-hailstone-min-height': '1' } })
    expect([answer.status, answer.headers['x-hailstone-height']]).toEqual([200, '1'])
  } finally {
    await api.close()
  }
})
