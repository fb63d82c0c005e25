import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { type LocalNetwork, playPopulation, startLocalNetwork } from '@hailstone/local-network'
import { openBrowser } from '@hailstone/test-browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { areTimesStrict, withinMs } from '../../../scripts/strict-times.ts'
import { follow } from '../src/follow.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { type Follower, openFollower } from '../src/open-follower.ts'
import { type ConsoleServer, serveConsole } from '../src/serve-console.ts'

/** A way to the console that can be cut, as a real one can. */
type Way = AsyncDisposable & {
  readonly url: string
  /** Streams that are open now. */
  readonly streams: () => number
  /** Questions of the API so far, without streams. */
  readonly questions: () => number
  /** Ends every connection, and each new one at once, until it is mended. */
  readonly cut: () => void
  readonly mend: () => void
  /** Lets the headers of streams through, and holds back what they say, as a proxy with a buffer does. */
  readonly holdStreams: (isHeld: boolean) => void
  /** Answers 503 to streams, and lets everything else through. */
  readonly refuseStreams: (isRefused: boolean) => void
}

async function openWay(to: string): Promise<Way> {
  const open = new Set<ServerResponse>()
  let [questions, isRefused, isHeld, isCut] = [0, false, false, false]
  function pass(request: IncomingMessage, response: ServerResponse): void {
    const isStream = request.url === '/v1/live'
    if (isStream && isRefused) return void response.writeHead(503).end()
    if (isStream) open.add(response)
    else if (request.url?.startsWith('/v1/') === true) questions++
    const { host: _, ...headers } = request.headers
    const { host } = new URL(to)
    const passed = forward(
      `${to}${request.url}`,
      { method: request.method, headers: { ...headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        if (isStream && isHeld) {
          response.flushHeaders()
          return void answer.resume()
        }
        answer.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    response.on('close', () => {
      open.delete(response)
      passed.destroy()
    })
    request.pipe(passed)
  }
  const server = createServer(pass)
  server.on('connection', (socket) => {
    if (isCut) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cut = (): void => {
    isCut = true
    server.closeAllConnections()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    streams: () => open.size,
    questions: () => questions,
    cut,
    mend: () => {
      isCut = false
    },
    holdStreams: (held) => {
      isHeld = held
      for (const response of open) response.destroy()
    },
    refuseStreams: (refused) => {
      isRefused = refused
      if (refused) for (const response of open) response.destroy()
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let setup: {
  readonly network: LocalNetwork
  readonly follower: Follower
  readonly server: ConsoleServer
  readonly way: Way
}
const undo: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const options = { seed: 'live', days: 8, macroblocksPerDay: 2, people: 20 }
  const { dump, population } = await playPopulation(options)
  const network = await startLocalNetwork({ load: dump, blockTimeMs: 3_600_000 })
  undo.push(network.stop)
  network.control.setClock((population.startTime + options.days * 86_400) * 1000)
  const index = await openIndex()
  undo.push(index.close)
  await openLabelTables(index)
  const client = createClient({ apiUrl: network.apiUrl })
  undo.push(client.close)
  const follower = await openFollower({ index, client, tokenId: population.token.id })
  await follower.catchUp()
  const ending = new AbortController()
  const following = follow({ follower, alerts: { evaluateIfDue: async () => {} } }, ending.signal)
  undo.push(async () => {
    ending.abort()
    await following
  })
  const server = await serveConsole({ follower })
  undo.push(server.stop)
  const way = await openWay(server.url)
  undo.push(async () => way[Symbol.asyncDispose]())
  setup = { network, follower, server, way }
})

afterAll(async () => {
  for (const end of undo.reverse()) await end()
})

async function cookieOf(server: ConsoleServer): Promise<string> {
  const signedIn = await fetch(server.signInUrl(), { redirect: 'manual' })
  return signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function readUntil({ body }: Response, text: string): Promise<void> {
  let read = ''
  for await (const part of body ?? []) {
    read += Buffer.from(part).toString()
    if (read.includes(text)) return
  }
  throw new Error(`the stream ended without ${text}`)
}

const until = async (isReached: () => boolean): Promise<void> => {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.ceil(0.95 * values.length) - 1] ?? Number.NaN

describe('what the console shows', () => {
  it('C-8: is at most 3 s behind a calculated macroblock, also after the stream was cut, and asks where it has none', async () => {
    const { network, server, way } = setup
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      const link = new URL(server.signInUrl())
      await page.goto(`${way.url}${link.pathname}${link.search}`)
      await page.goto(`${way.url}/#health`)
      await page.evaluate('globalThis.sameDocument = true')
      let height = setup.follower.status().height ?? 0
      const shows = (): Promise<void> => page.getByText(`height ${height},`).waitFor()
      await shows()
      await until(() => way.streams() === 1)

      const [delays, before]: [number[], number] = [[], way.questions()]
      for (let block = 0; block < 8; block++) {
        await network.control.mine(1)
        const minedAt = performance.now()
        height++
        await shows()
        delays.push(performance.now() - minedAt)
      }
      expect(p95(delays)).toBeLessThan(withinMs(3000))
      if (areTimesStrict)
        console.log(`C-8: p95 ${Math.round(p95(delays))} ms of ${delays.length} macroblocks`)

      // The line of state and the figure ask once each for a message, and a macroblock brings one or two.
      expect(way.questions() - before).toBeLessThanOrEqual(4 * delays.length + 4)

      way.cut()
      await network.control.mine(1)
      height++
      await until(() => setup.follower.status().height === height)
      way.mend()
      await shows()
      await until(() => way.streams() === 1)

      way.refuseStreams(true)
      await until(() => way.streams() === 0)
      await network.control.mine(1)
      height++
      await shows()
      expect(way.streams()).toBe(0)
      way.refuseStreams(false)
      await until(() => way.streams() === 1)

      const turn = async (state: string): Promise<void> =>
        void (await page.evaluate(
          `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`,
        ))
      await turn('hidden')
      await until(() => way.streams() === 0)
      const [asked, last] = [way.questions(), height]
      await network.control.mine(1)
      height++
      await until(() => setup.follower.status().height === height)
      expect([way.questions(), await page.getByText(`height ${last},`).count()]).toStrictEqual([asked, 1])
      await turn('visible')
      await shows()
      expect(await page.evaluate('globalThis.sameDocument')).toBe(true)
    } finally {
      await browser.close()
    }
  })

  it('is asked for by a page behind a proxy that holds the stream back', async () => {
    const { network, server, way } = setup
    const answer = await fetch(`${server.url}/v1/live`, { headers: { cookie: await cookieOf(server) } })
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    const alive = readUntil(answer, 'event: alive\n')
    way.holdStreams(true)
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      const link = new URL(server.signInUrl())
      await page.goto(`${way.url}${link.pathname}${link.search}`)
      await page.goto(`${way.url}/#health`)
      const shows = (height: number): Promise<void> => page.getByText(`height ${height},`).waitFor()
      const height = setup.follower.status().height ?? 0
      await shows(height)
      await until(() => way.streams() === 1)
      await network.control.mine(1)
      await shows(height + 1)
      expect(way.streams()).toBe(1)
    } finally {
      way.holdStreams(false)
      await browser.close()
    }
    // A page hears of it, which it does of no comment.
    await alive
  })

  it('is told to nobody who has not signed in, and ends with the server', async () => {
    const { follower, server } = setup
    expect((await fetch(`${server.url}/v1/live`)).status).toBe(401)
    const other = await serveConsole({ follower })
    const open = (cookie: string, method = 'GET') =>
      fetch(`${other.url}/v1/live`, { method, headers: { cookie } })
    const sessions = await Promise.all(Array.from({ length: 11 }, () => cookieOf(other)))
    const [first = '', last = ''] = [sessions[0], sessions[10]]
    // Questions for the headers alone take no place.
    for (let count = 0; count < 11; count++) expect((await open(first, 'HEAD')).status).toBe(404)
    const streams: Response[] = []
    for (const cookie of sessions.slice(0, 10)) {
      streams.push(...(await Promise.all(Array.from({ length: 10 }, () => open(cookie)))))
      expect((await open(cookie)).status).toBe(429)
    }
    expect(new Set(streams.map(({ status }) => status))).toStrictEqual(new Set([200]))
    expect((await open(last)).status).toBe(503)
    await other.stop()
    const texts = await Promise.all(streams.map((stream) => stream.text()))
    expect(texts.every((text) => text.includes('data: {"height":'))).toBe(true)
  })
})
