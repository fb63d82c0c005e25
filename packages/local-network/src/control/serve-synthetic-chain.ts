import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Amount,
  encodeWith,
  type Hash,
  heightEndpoint,
  type JsonValue,
  type KeyBlock,
  type KeyBlockAnswer,
  type Microblock,
  macroblockByHeightEndpoint,
  macroblockEndpoint,
  microblockEndpoint,
  stringifyJson,
  transactionHash,
} from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import { limitConnections, servingTimes } from '@hailstone/runtime/node'
import { API_PREFIX, JSON_TYPE } from '../http/route.ts'
import {
  createSyntheticChain,
  type SyntheticChain,
  type SyntheticChainParameters,
} from './synthetic-chain.ts'

/** A server that answers from a synthetic chain. */
export type SyntheticServer = AsyncDisposable & {
  /** Base of the HTTP interface, without a slash at the end. */
  readonly apiUrl: string
  readonly chain: SyntheticChain
  /** Ends the server and its connections. */
  readonly stop: () => Promise<void>
}

/** Largest number of concurrent connections. */
const MAX_CONNECTIONS = 2048

/** Heights by hash, of hashes that were answered; the oldest are dropped. */
const MAX_TOLD = 100_000

const keyBlockAnswer = (keyBlock: KeyBlock, isOpen: boolean): KeyBlockAnswer => ({
  ...keyBlock,
  leaderSignature: null,
  reward: isOpen ? null : (0n as Amount),
})

const microblockAnswer = ({ transactions, hash, ...header }: Microblock) => ({
  header: { ...header, hash, reward: 0n as Amount },
  transactions: transactions.map((transaction) => ({
    ...transaction,
    hash: transactionHash(transaction),
    microblockHash: hash,
    status: 'confirmed' as const,
  })),
})

function createAnswers(chain: SyntheticChain) {
  const reported = new Map<Hash, number>()
  const tell = (hash: Hash, height: number): void => {
    reported.set(hash, height)
    if (reported.size > MAX_TOLD) for (const oldest of reported.keys()) return void reported.delete(oldest)
  }
  const macroblock = (height: number) => {
    const found = chain.macroblockAt(height)
    if (found === undefined) return undefined
    for (const { hash } of [found.keyBlock, ...found.microblocks]) tell(hash, height)
    return {
      keyBlock: keyBlockAnswer(found.keyBlock, height === chain.height),
      microblocks: found.microblocks.map(({ hash, transactions }) => ({
        hash,
        transactionCount: transactions.length,
      })),
      statBlocks: [],
    }
  }
  const byHash = (hash: string) => reported.get(hash as Hash)
  return { macroblock, byHash }
}

/** Undefined where the real interface says 404. */
function answer(
  chain: SyntheticChain,
  answers: ReturnType<typeof createAnswers>,
  url: URL,
): JsonValue | undefined {
  const hash = url.searchParams.get('hash') ?? ''
  const height = answers.byHash(hash)
  switch (url.pathname) {
    case API_PREFIX + heightEndpoint.path:
      return encodeWith(heightEndpoint.answer, { height: chain.height })
    case API_PREFIX + macroblockByHeightEndpoint.path: {
      const found = answers.macroblock(Number(url.searchParams.get('height')))
      return found && encodeWith(macroblockByHeightEndpoint.answer, found)
    }
    case API_PREFIX + macroblockEndpoint.path: {
      const found = height === undefined ? undefined : answers.macroblock(height)
      return encodeWith(macroblockEndpoint.answer, {
        ...(found ?? { microblocks: [], statBlocks: [] }),
        snapshotHash: null,
      })
    }
    case API_PREFIX + microblockEndpoint.path: {
      const blocks = height === undefined ? [] : (chain.macroblockAt(height)?.microblocks ?? [])
      const found = blocks.find((one) => one.hash === hash)
      return encodeWith(microblockEndpoint.answer, found ? microblockAnswer(found) : { transactions: [] })
    }
    default:
      return undefined
  }
}

/**
 * Serves a chain of any length that costs nothing to make, with the four questions of a chain walk: for clients
 * that come back after a million macroblocks. Whoever starts it stops it.
 */
export async function serveSyntheticChain(parameters: SyntheticChainParameters): Promise<SyntheticServer> {
  const chain = createSyntheticChain(parameters)
  const answers = createAnswers(chain)
  const server = createServer(servingTimes, (request: IncomingMessage, response: ServerResponse) => {
    const asked = `http://localhost${request.url ?? '/'}`
    const found = canParseUrl(asked) ? answer(chain, answers, new URL(asked)) : undefined
    const body = stringifyJson(found ?? { err: 1n, message: 'There is no such block.' })
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
  const { stop } = limitConnections(server, { most: MAX_CONNECTIONS })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { apiUrl: `http://127.0.0.1:${port}${API_PREFIX}`, chain, stop, [Symbol.asyncDispose]: stop }
}
