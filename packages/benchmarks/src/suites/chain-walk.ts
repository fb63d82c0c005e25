import { createClient, type Network, networks } from '@hailstone/client'
import { serveSyntheticChain } from '@hailstone/local-network'
import { Pool } from 'undici'
import { type Child, startChild } from '../child.ts'
import { type Contestant, holdContest } from '../contest.ts'
import { type Goal, outcomeOf } from '../outcome.ts'
import { peer, peerVersion } from '../peers.ts'
import type { Suite } from '../suite.ts'

const BLOCKS = 200
const IN_FLIGHT = 64
const PREFIX = '/api/v1'

/** Every answer of a walk, so that the server costs the same whoever asks. */
async function recordChain(apiUrl: string): Promise<Readonly<Record<string, string>>> {
  const bodies: Record<string, string> = {}
  const record = async (path: string): Promise<string> => {
    const body = await (await fetch(apiUrl + path)).text()
    bodies[PREFIX + path] = body
    return body
  }
  await record('/height')
  for (let height = 0; height <= BLOCKS; height++) {
    const body = await record(`/macroblock_by_height?height=${height}`)
    const { mblocks = [] } = JSON.parse(body) as { readonly mblocks?: readonly { readonly hash: string }[] }
    for (const { hash } of mblocks) await record(`/mblock?hash=${hash}`)
  }
  return bodies
}

/** A block of another chain of about the size of one of ours with its microblock. */
const foreignBlock = (length: number): string =>
  JSON.stringify({
    number: '0x7',
    hash: `0x${'1'.repeat(64)}`,
    parentHash: `0x${'2'.repeat(64)}`,
    nonce: '0x0000000000000000',
    sha3Uncles: `0x${'3'.repeat(64)}`,
    logsBloom: `0x${'0'.repeat(512)}`,
    transactionsRoot: `0x${'4'.repeat(64)}`,
    stateRoot: `0x${'5'.repeat(64)}`,
    receiptsRoot: `0x${'6'.repeat(64)}`,
    miner: `0x${'7'.repeat(40)}`,
    difficulty: '0x1',
    totalDifficulty: '0x1',
    extraData: '0x',
    size: '0x500',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: '0x64000000',
    transactions: [],
    uncles: [],
    baseFeePerGas: '0x7',
    mixHash: `0x${'8'.repeat(64)}`,
  }).padEnd(length, ' ')

async function inLanes(lanes: number, count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await work(at)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const timesOver = (work: () => Promise<unknown>) => async (times: number) => {
  for (let time = 0; time < times; time++) await work()
}

type ForeignClient = {
  readonly getBlock: (given: { readonly blockNumber: bigint }) => Promise<{ readonly number: unknown }>
}
type Viem = {
  readonly createPublicClient: (given: { readonly transport: unknown }) => ForeignClient
  readonly http: (url: string, options?: { readonly batch?: { readonly batchSize: number } }) => unknown
}

function viem(name: string, url: string, isBatched: boolean): Contestant {
  const { createPublicClient, http } = peer<Viem>('viem')
  const transport = http(url, isBatched ? { batch: { batchSize: IN_FLIGHT } } : undefined)
  const client = createPublicClient({ transport })
  return {
    name,
    version: peerVersion('viem'),
    run: timesOver(() => inLanes(IN_FLIGHT, BLOCKS, (at) => client.getBlock({ blockNumber: BigInt(at) }))),
    check: async () => (await client.getBlock({ blockNumber: 7n })).number === 7n,
  }
}

function ethers(url: string): Contestant {
  type Provider = { readonly getBlock: (height: number) => Promise<{ readonly number: number } | null> }
  const { JsonRpcProvider, Network: Foreign } = peer<{
    readonly JsonRpcProvider: new (url: string, network: unknown, options: object) => Provider
    readonly Network: { readonly from: (id: number) => unknown }
  }>('ethers')
  const chain = Foreign.from(1)
  const provider = new JsonRpcProvider(url, chain, { staticNetwork: chain })
  return {
    name: 'ethers',
    version: peerVersion('ethers'),
    run: timesOver(() => inLanes(IN_FLIGHT, BLOCKS, (at) => provider.getBlock(at))),
    check: async () => (await provider.getBlock(7))?.number === 7,
  }
}

function raw(origin: string, bodies: Readonly<Record<string, string>>): Contestant {
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  const paths = Object.keys(bodies)
  const read = async (at: number) => {
    const { body } = await pool.request({ method: 'GET', path: paths[at] ?? '' })
    return JSON.parse(await body.text()) as unknown
  }
  return {
    name: 'the same GETs by undici, JSON.parse only',
    run: timesOver(() => inLanes(IN_FLIGHT, paths.length, read)),
    check: async () => (await read(0)) !== undefined,
  }
}

function ours(apiUrl: string): Contestant {
  const network: Network = { ...networks.pulse, apiUrl, originHash: undefined }
  const client = createClient({ network })
  const walk = async (): Promise<number> => {
    let count = 0
    const range = { fromHeight: 0, toHeight: BLOCKS - 1, concurrency: IN_FLIGHT }
    for await (const macroblock of client.walkChain(range)) count += macroblock.keyBlock.height >= 0 ? 1 : 0
    return count
  }
  return { name: 'Hailstone', run: timesOver(walk), check: async () => (await walk()) === BLOCKS }
}

const goals: readonly Goal[] = [
  { what: 'against viem, not batched', over: 'Hailstone', under: 'viem', atLeast: 3 },
  { what: 'against ethers', over: 'Hailstone', under: 'ethers', atLeast: 1.5 },
  {
    what: 'against the same GETs without any check',
    over: 'Hailstone',
    under: 'the same GETs by undici, JSON.parse only',
    atLeast: 0.8,
  },
]

async function prepare(
  server: Child,
): Promise<{ readonly origin: string; readonly bodies: Readonly<Record<string, string>> }> {
  await using chain = await serveSyntheticChain({ blocks: BLOCKS, transactions: 1 })
  const origin = await server.ask<string>('listen')
  const bodies = await recordChain(chain.apiUrl)
  await server.ask('put', bodies)
  const length = Math.round(Object.values(bodies).join('').length / BLOCKS)
  await server.ask('put', {
    eth_chainId: '"0x1"',
    'eth_getBlockByNumber:0x7': foreignBlock(length),
    eth_getBlockByNumber: foreignBlock(length),
  })
  return { origin, bodies }
}

export const chainWalk: Suite = {
  name: 'walk',
  what: 'P-11: a chain from below, 64 requests at once',
  run: async ({ settings, tell }) => {
    const server = startChild('file-server')
    const { origin, bodies } = await prepare(server)
    const contestants = [
      ours(origin + PREFIX),
      raw(origin, bodies),
      viem('viem', origin, false),
      viem('viem, batched', origin, true),
      ethers(origin),
    ]
    const { samples, pressures, wasQuiet } = await holdContest({
      contestants,
      settings,
      onRound: (round) => tell(`P-11 round ${round + 1} of ${settings.rounds}`),
    })
    await server.end()
    const perBlock = (rates: readonly number[]) => rates.map((rate) => rate * BLOCKS)
    const scores = contestants.map(({ name, version }) => ({
      name,
      version,
      samples: perBlock(samples.get(name) ?? []),
    }))
    const notes = [
      `${Object.keys(bodies).length} GETs for ${BLOCKS} macroblocks with a microblock each; Hailstone links them and recomputes every hash`,
    ]
    return [
      outcomeOf({
        id: 'P-11',
        title: 'Walk along the chain',
        unit: 'blocks/CPU s',
        isMoreBetter: true,
        scores,
        goals,
        pressures,
        wasQuiet,
        notes,
      }),
    ]
  },
}
