import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { ask } from '../deployment/site.ts'
import { createBrandProbe } from './create-brand-probe.ts'

const portOf = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

it('asks sites, feeds and gateways through the proxy of the environment', async () => {
  const site = createServer((_, response) => response.end('[]'))
  const gateway = new WebSocketServer({ server: site })
  const port = await portOf(site)
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const target = connect(port, '127.0.0.1')
    for (const one of [socket, target]) sockets.add(one.on('error', () => undefined))
    socket.pipe(target).pipe(socket)
  })
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await portOf(proxy)}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    for (const socket of sockets) socket.destroy()
    for (const server of [gateway, site, proxy]) server.close()
  })
  await using probe = createBrandProbe({ apiUrl: 'http://api.example/api/v1', settleMs: 50 })
  expect(await probe.getStatus('http://site.example/')).toBe(200)
  const feed = { url: 'http://feed.example/', origin: 'http://site.example' }
  expect(await probe.readFeed(feed)).toMatchObject({ status: 200, text: '[]' })
  expect(await ask(new URL('http://app.example/'))).toMatchObject({ status: 200 })
  const hail = { url: 'ws://gateway.example/', tokenId: ZERO_TOKEN_ID, origin: undefined }
  expect(await probe.hail(hail)).toEqual({ kind: 'accepted' })
  expect(asked).toEqual(['site', 'feed', 'app', 'gateway'].map((name) => `${name}.example:80`))
})
