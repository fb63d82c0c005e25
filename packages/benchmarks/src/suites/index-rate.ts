import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, createClient, type Network, networks } from '@hailstone/client'
import { openIndex, openWriter } from '@hailstone/indexer'
import type { TokenId } from '@hailstone/protocol'
import { type Child, startChild } from '../child.ts'
import { type Contestant, holdContest } from '../contest.ts'
import { type Goal, type Outcome, outcomeOf, type Score } from '../outcome.ts'
import type { Suite, SuiteParameters } from '../suite.ts'
import { chainsOf, type PostgresServer, postgresOf } from './network-bench.ts'

const BLOCKS = 1_000
const MICROBLOCKS = 8
/** GETs at a time, as many as the indexer has. */
const IN_FLIGHT = 8
const PREFIX = '/api/v1'

type Recorded = {
  readonly bodies: Readonly<Record<string, string>>
  readonly tokenId: TokenId
  /** Of the recorder, which is gone. */
  readonly apiUrl: string
}

const clientOf = (apiUrl: string): Client => {
  const network: Network = { ...networks.pulse, apiUrl, originHash: undefined }
  return createClient({ network })
}

/** Passes questions on and keeps the answers. */
async function openRecorder(target: string) {
  const bodies: Record<string, string> = {}
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const answer = await fetch(target + path)
    const body = await answer.text()
    if (answer.status === 200) bodies[path] = body
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { bodies, origin: `http://127.0.0.1:${port}`, close }
}

/** Every answer that an index of the chain needs, so that the server costs the same whoever asks. */
async function recordChain(ownOf: number): Promise<Recorded> {
  const { openChainOfToken } = await chainsOf()
  await using chain = await openChainOfToken({ blocks: BLOCKS, ownOf })
  const recorder = await openRecorder(new URL(chain.apiUrl).origin)
  const tokenId = chain.tokenId as TokenId
  const apiUrl = recorder.origin + PREFIX
  const client = clientOf(apiUrl)
  const index = await openIndex({})
  const writer = await openWriter({ index, client, tokenIds: [tokenId] })
  await writer.step()
  await walk(client)
  for (const close of [() => writer[Symbol.asyncDispose](), index.close, client.close, recorder.close])
    await close()
  return { bodies: recorder.bodies, tokenId, apiUrl }
}

/**
 * Walks the chain and counts its microblocks.
 *
 * @param tokenId the token whose rewards are read meanwhile, as the indexer reads them, and not looked at. @default none
 */
async function walk(client: Client, tokenId?: TokenId): Promise<number> {
  let count = 0
  let reading: Promise<unknown>[] = []
  const range = { fromHeight: 0, toHeight: BLOCKS - 1, concurrency: IN_FLIGHT }
  for await (const { microblocks } of client.walkChain(range)) {
    count += microblocks.length
    const own = microblocks.filter(({ header }) => header.tokenId === tokenId)
    reading.push(...own.map(({ header: { hash } }) => client.getRecordsOfHash({ hash })))
    if (reading.length < IN_FLIGHT * MICROBLOCKS) continue
    await Promise.all(reading)
    reading = []
  }
  await Promise.all(reading)
  return count
}

/** An index that was begun and has no block yet, as a database that others are copied from. */
async function beginIndex(server: PostgresServer, client: Client, tokenId: TokenId): Promise<string> {
  const database = await server.createDatabase()
  const index = await openIndex({ database })
  await (await openWriter({ index, client, tokenIds: [tokenId] }))[Symbol.asyncDispose]()
  await index.close()
  return database
}

const nameOf = (database: string): string => new URL(database).pathname.slice(1)

type Place = {
  readonly server: PostgresServer
  readonly files: Child
  readonly origin: string
}

async function contestantsOf(
  { server, files, origin }: Place,
  what: string,
  ownOf: number,
): Promise<readonly Contestant[]> {
  const { bodies, tokenId } = await recordChain(ownOf)
  await files.ask('put', bodies)
  const { queryDatabase } = await postgresOf()
  const client = clientOf(origin + PREFIX)
  const begun = await beginIndex(server, client, tokenId)
  const admin = begun.replace(nameOf(begun), 'postgres')
  let copies = 0
  const fill = async (): Promise<number> => {
    const name = `${nameOf(begun)}_${copies++}`
    await queryDatabase(admin, `create database ${name} template ${nameOf(begun)}`)
    const index = await openIndex({ database: begun.replace(nameOf(begun), name) })
    const writer = await openWriter({ index, client, tokenIds: [tokenId] })
    const { height } = await writer.step()
    await writer[Symbol.asyncDispose]()
    await index.close()
    await queryDatabase(admin, `drop database ${name}`)
    return height
  }
  const timesOver = (work: () => Promise<unknown>) => async (times: number) => {
    for (let time = 0; time < times; time++) await work()
  }
  const whole = BLOCKS * MICROBLOCKS
  return [
    {
      name: `${what}: walkChain alone`,
      run: timesOver(() => walk(client)),
      check: async () => (await walk(client)) === whole,
    },
    {
      name: `${what}: walkChain and the rewards of each own microblock`,
      run: timesOver(() => walk(client, tokenId)),
      check: async () => (await walk(client, tokenId)) === whole,
    },
    {
      name: `${what}: the index on PostgreSQL`,
      run: timesOver(fill),
      check: async () => (await fill()) === BLOCKS - 1,
    },
  ]
}

const sizes = [
  { what: 'all own', ownOf: 1, atLeast: 0.6 },
  { what: 'one of eight own', ownOf: MICROBLOCKS, atLeast: 0.8 },
] as const

const goals: readonly Goal[] = sizes.map(({ what, atLeast }) => ({
  what: `${what}: against walkChain alone`,
  over: `${what}: the index on PostgreSQL`,
  under: `${what}: walkChain alone`,
  atLeast,
}))

async function measure(parameters: SuiteParameters, place: Place): Promise<Outcome> {
  const { settings, tell } = parameters
  const scores: Score[] = []
  const pressures: (number | null)[] = []
  let wasQuiet = true
  // The two chains have the same heights, so that one is served after the other.
  for (const { what, ownOf } of sizes) {
    const contestants = await contestantsOf(place, what, ownOf)
    const onRound = (round: number) => tell(`C-6 ${what}, round ${round + 1} of ${settings.rounds}`)
    const held = await holdContest({ contestants, settings, onRound })
    pressures.push(...held.pressures)
    wasQuiet &&= held.wasQuiet
    for (const { name } of contestants)
      scores.push({ name, samples: (held.samples.get(name) ?? []).map((rate) => rate * BLOCKS) })
  }
  return outcomeOf({
    id: 'C-6',
    title: 'Index of a token, beside the walk',
    unit: 'blocks/CPU s',
    isMoreBetter: true,
    ...{ scores, goals, pressures, wasQuiet },
    notes: [
      `${BLOCKS} macroblocks with ${MICROBLOCKS} microblocks of one payment each; PostgreSQL and the API are other processes`,
    ],
  })
}

export const indexRate: Suite = {
  name: 'index',
  what: 'C-6: an index of a token on PostgreSQL, beside the walk of the chain alone',
  run: async (parameters) => {
    const { postgresMissing, startPostgres } = await postgresOf()
    if (postgresMissing !== null) {
      parameters.tell(`C-6 is left out: ${postgresMissing}`)
      return []
    }
    const server = await startPostgres()
    const files = startChild('file-server')
    try {
      const origin = await files.ask<string>('listen')
      return [await measure(parameters, { server, files, origin })]
    } finally {
      await files.end()
      await server.stop()
    }
  },
}
