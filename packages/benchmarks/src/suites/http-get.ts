import { Agent, get } from 'node:http'
import { createClient, type Network, networks } from '@hailstone/client'
import { serveSyntheticChain } from '@hailstone/local-network'
import { Pool } from 'undici'
import { startChild } from '../child.ts'
import { type Contestant, holdContest } from '../contest.ts'
import { type Goal, outcomeOf } from '../outcome.ts'
import { peer, peerVersion } from '../peers.ts'
import type { Suite } from '../suite.ts'

const IN_FLIGHT = 16
const HEIGHT = 7
const PATH = '/api/v1/mblock?hash='

/** Does something so many times, a fixed number of them at once. */
const atOnce =
  (work: () => Promise<unknown>, lanes = IN_FLIGHT) =>
  async (times: number): Promise<void> => {
    let left = times
    const lane = async (): Promise<void> => {
      while (left-- > 0) await work()
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

type MicroblockOnWire = { readonly transactions: readonly unknown[] }
const TRANSACTIONS = 3
const isRight = (body: unknown): boolean => (body as MicroblockOnWire).transactions.length === TRANSACTIONS

const contestant = (name: string, ask: () => Promise<unknown>, version?: string): Contestant => ({
  name,
  version,
  run: atOnce(ask),
  check: async () => isRight(await ask()),
})

function nodeHttp(url: string): () => Promise<unknown> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  return () =>
    new Promise((resolve, reject) => {
      get(url, { agent }, async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve(JSON.parse(text))
      }).on('error', reject)
    })
}

/** Requests like the web library: with the package `request`, its defaults, and a new connection each time. */
function byRequest(url: string): () => Promise<unknown> {
  type Ask = (url: string, done: (error: unknown, response: unknown, body: string) => void) => void
  const ask = peer<{ readonly get: Ask }>('request')
  return () =>
    new Promise((resolve, reject) =>
      ask.get(url, (error, _, body) => (error ? reject(error) : resolve(JSON.parse(body)))),
    )
}

const goals: readonly Goal[] = [
  {
    what: "against the web library's way",
    over: 'Hailstone',
    under: "request, the web library's",
    atLeast: 2,
  },
  {
    what: 'against undici and JSON.parse, validation included',
    over: 'Hailstone',
    under: 'undici Pool and JSON.parse',
    atLeast: 0.8,
  },
]

export const httpGet: Suite = {
  name: 'http',
  what: 'P-10: a GET of 1 kB, 16 at once',
  run: async ({ settings, tell }) => {
    await using served = await serveSyntheticChain({ blocks: 10, transactions: TRANSACTIONS })
    const hash = served.chain.macroblockAt(HEIGHT)?.microblocks[0]?.hash
    if (hash === undefined) throw new Error('the chain has no microblock there')
    await fetch(`${served.apiUrl}/macroblock_by_height?height=${HEIGHT}`)
    const body = await (await fetch(`${served.apiUrl}/mblock?hash=${hash}`)).text()
    const server = startChild('file-server')
    const origin = await server.ask<string>('listen')
    const path = PATH + hash
    await server.ask('put', { [path]: body })
    const network: Network = { ...networks.pulse, apiUrl: `${origin}/api/v1` }
    const client = createClient({ network })
    const pool = new Pool(origin, { connections: IN_FLIGHT })
    const url = origin + path
    // Asked anew each time: an answer that the client kept is no GET.
    const ask = () => client.getMicroblock({ hash, maxAgeMs: 0 })
    const contestants = [
      {
        ...contestant('Hailstone', ask),
        check: async () => (await ask())?.transactions.length === TRANSACTIONS,
      },
      contestant('undici Pool and JSON.parse', async () => {
        const { body: answer } = await pool.request({ method: 'GET', path })
        return JSON.parse(await answer.text())
      }),
      contestant('fetch', async () => (await fetch(url)).json()),
      contestant('node:http, kept alive', nodeHttp(url)),
      contestant("request, the web library's", byRequest(url), peerVersion('request')),
    ]
    const { samples, pressures, wasQuiet } = await holdContest({
      contestants,
      settings,
      onRound: (round) => tell(`P-10 round ${round + 1} of ${settings.rounds}`),
    })
    await client.close()
    await pool.close()
    await server.end()
    const scores = contestants.map(({ name, version }) => ({
      name,
      version,
      samples: samples.get(name) ?? [],
    }))
    const title = `GET of ${Buffer.byteLength(body)} bytes, ${IN_FLIGHT} at once`
    return [
      outcomeOf({
        id: 'P-10',
        title,
        unit: '/CPU s',
        isMoreBetter: true,
        scores,
        goals,
        pressures,
        wasQuiet,
      }),
    ]
  },
}
