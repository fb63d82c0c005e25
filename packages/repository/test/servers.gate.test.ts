import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { serveSyntheticChain, startLocalNetwork } from '@hailstone/local-network'
import { createBridge } from '@hailstone/mining-node/bridge'
import { serveHealth } from '@hailstone/mining-node/health'
import { afterEach, describe, expect, it } from 'vitest'
import { openConsole, PASSWORD } from '../../../apps/console/test/console-fixture.ts'
import { serveSample } from '../../../apps/demo/src/serve-sample.ts'
import { readShell } from '../../../apps/white-label/tools/build-brand.ts'
import { serveFiles } from '../../../apps/white-label/tools/serve-files.ts'
import { serveWizard } from '../../../apps/white-label/tools/serve-wizard.ts'
import { createCertificate } from '../../fault-injection/src/create-certificate.ts'

/** Longest time in which a server stops, in ms. */
const STOP_MS = 5000

type Running = {
  /** Addresses of all its ports. */
  readonly urls: readonly string[]
  readonly stop: () => Promise<unknown>
  /** Connections that it keeps; undefined where tests of its own say so. */
  readonly most?: number
  /** Headers of a stranger who may open a stream that has no end. */
  readonly stream?: { readonly path: string; readonly headers: Readonly<Record<string, string>> }
}

const undo: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end()
})

/** A gateway that takes connections and never says a word. */
async function openSilence(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(async () => server.close())
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openBridge(isSecure: boolean, upstream: string): Promise<Running> {
  const between = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) }
  const { certificate, privateKey: key } = createCertificate({ commonName: 'bridge', ...between })
  const bridge = await createBridge({
    upstreams: [upstream],
    ...(isSecure ? { tls: { certificate, key } } : {}),
  })
  return { urls: [bridge.url], stop: bridge.stop }
}

const servers: Readonly<Record<string, () => Promise<Running>>> = {
  health: async () => {
    const source = { health: () => ({ isReady: true }), status: () => ({}), metrics: () => '' }
    const { port, stop } = await serveHealth(source, { port: 0 })
    return { urls: [`http://127.0.0.1:${port}`], stop, most: 64 }
  },
  bridge: async () => {
    const network = await startLocalNetwork()
    undo.push(network.stop)
    return openBridge(false, network.gatewayUrl)
  },
  'bridge to a gateway that is silent': async () => openBridge(false, await openSilence()),
  'bridge with TLS': async () => openBridge(true, await openSilence()),
  'local network': async () => {
    const network = await startLocalNetwork({ bootNode: {}, control: true })
    return { urls: [network.apiUrl, network.gatewayUrl, network.bootNodeUrl ?? ''], stop: network.stop }
  },
  'synthetic chain': async () => {
    const { apiUrl, stop } = await serveSyntheticChain({ blocks: 3 })
    return { urls: [apiUrl], stop }
  },
  console: async () => {
    const fixture = await openConsole()
    undo.push(() => fixture[Symbol.asyncDispose]())
    await fixture.people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    const server = await fixture.serve()
    const signedIn = await fixture.signIn(server, { name: 'ada', password: PASSWORD })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const stream = { path: '/v1/live', headers: { cookie } }
    return { urls: [server.url], stop: server.stop, stream, most: 1024 }
  },
  'site of the documents': async () => {
    const { serveSite } = await import(new URL('../../../apps/docs/serve.mjs', import.meta.url).href)
    const { url, close } = await serveSite()
    return { urls: [url], stop: close, most: 256 }
  },
  'files of an app': async () => {
    const { url, stop } = await serveFiles(() => new Map([['index.html', new Uint8Array(4_000_000)]]))
    return { urls: [url], stop, most: 256 }
  },
  wizard: async () => {
    const brandFolder = fileURLToPath(new URL('../../../apps/white-label/brands/jamr', import.meta.url))
    const request = { environment: 'dev', target: 'web', flags: {}, out: undefined, brandFolder } as const
    const { url, stop } = await serveWizard(request, await readShell())
    return { urls: [url], stop, most: 256 }
  },
  'sample app': async () => {
    const network = { apiUrl: 'http://127.0.0.1:4410/api/v1', gatewayUrl: 'ws://127.0.0.1:4411' }
    const { url, stop } = await serveSample({ port: 0, network })
    return { urls: [url], stop, most: 256 }
  },
}

/** Connects, says something, reads nothing, and never lets go by itself. */
async function hold(url: string, words: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => {})
  socket.pause()
  undo.push(async () => socket.destroy())
  await once(socket, 'connect')
  if (words !== '') await new Promise((sent) => socket.write(words, sent))
  return socket
}

/** Beginnings of conversations that a stranger never ends. */
const halves = (host: string): Readonly<Record<string, string>> => ({
  silence: '',
  'half a head': 'GET / HTTP/1.1\r\nhost: ',
  'half a body': `POST /v1/sign-in HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"na`,
  'a body of pieces': `POST /api/v1/tx HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
  'an answer that nobody reads': `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(50),
  'a malformed path': `GET /%E0%A4%A HTTP/1.1\r\nhost: ${host}\r\n\r\nGET // HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  'an upgrade': `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
})

/** Asks once on a connection that is kept, and resolves when the answer is there. */
async function holdIdle(url: string): Promise<void> {
  const socket = await hold(url, `GET / HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`)
  socket.resume()
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
}

describe.each(Object.entries(servers))('%s', (_, open) => {
  it('keeps no more connections than it bears, and answers whoever comes', async () => {
    const { urls, most, stop } = await open()
    undo.push(stop)
    if (most === undefined) return
    const [url = ''] = urls
    const held: Socket[] = []
    const ended = new Set<Socket>()
    for (let count = 0; count < most + 10; count++) {
      const socket = await hold(url, 'GET / HTTP/1.1\r\nhost: ')
      for (const end of ['end', 'error']) socket.resume().once(end, () => ended.add(socket))
      held.push(socket)
    }
    expect((await fetch(url)).status).toBeLessThan(500)
    await expect.poll(() => ended.size).toBe(11)
    expect(held.slice(11).filter((socket) => ended.has(socket))).toStrictEqual([])
  })

  it('stops whatever strangers hold', async () => {
    const { urls, stop, stream } = await open()
    for (const url of urls) {
      const { host, protocol } = new URL(url)
      for (const words of Object.values(halves(host))) await hold(url, words)
      if (protocol === 'http:') await holdIdle(url)
    }
    if (stream !== undefined) {
      const asked = get(new URL(stream.path, urls[0]), { headers: stream.headers, agent: false })
      asked.on('error', () => {})
      undo.push(async () => asked.destroy())
      const [answer] = await once(asked, 'response')
      expect(answer.statusCode).toBe(200)
    }
    let late: NodeJS.Timeout | undefined
    const ended = await Promise.race([
      stop().then(() => 'stopped'),
      new Promise((resolve) => {
        late = setTimeout(resolve, STOP_MS, 'still there')
      }),
    ])
    clearTimeout(late)
    expect(ended).toBe('stopped')
  })
})
