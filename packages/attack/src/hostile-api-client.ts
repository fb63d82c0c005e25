import { type Client, createClient, createFetchTransport } from '@hailstone/client'
import { createMiningNode, createWallet, isNodeError, type MiningNode } from '@hailstone/mining-node'
import { answerParent } from './child.ts'
import { figuresOf, resetPeak } from './process-figures.ts'
import { type Turns, watchTurns } from './turn-watch.ts'

/** Figures of a program that queries a hostile API, measured in its own process. */
export type ClientFigures = Turns & {
  /** Longest time from a call to its answer or error. */
  readonly longestCallMs: number
  readonly answered: number
  /** Calls that ended in a typed error, by code. */
  readonly refused: { readonly [code: string]: number }
  /** Calls that ended in any other way. */
  readonly untyped: number
  readonly peakMegabytes: number
}

const wallet = createWallet()
const watch = watchTurns()
let client: Client | undefined
let node: MiningNode | undefined
let isAsking = false
let callers: Promise<void>[] = []
let calls = { longestMs: 0, answered: 0, untyped: 0 }
let refused: Record<string, number> = {}

/** Endpoints whose answers are a number, an object, and lists. */
const questions: readonly ((client: Client) => Promise<unknown>)[] = [
  (one) => one.getHeight(),
  (one) => one.getBalance({ address: wallet.address }),
  (one) => one.getStats(),
  (one) => one.getTransactions({ address: wallet.address }),
  (one) => one.getRewards({ address: wallet.address }),
]

async function keepAsking(asked: Client, first: number): Promise<void> {
  for (let count = first; isAsking; count++) {
    const begunAt = performance.now()
    try {
      await questions[count % questions.length]?.(asked)
      calls.answered++
    } catch (error) {
      if (isNodeError(error)) refused[error.code] = (refused[error.code] ?? 0) + 1
      else calls.untyped++
    }
    calls.longestMs = Math.max(calls.longestMs, performance.now() - begunAt)
  }
}

async function stop(): Promise<void> {
  isAsking = false
  await Promise.all(callers)
}

answerParent({
  start: async (given: {
    readonly apiUrl: string
    readonly byFetch: boolean
    readonly timeoutMs: number
  }) => {
    const { apiUrl, byFetch, timeoutMs } = given
    const transport = byFetch ? createFetchTransport({ apiUrl }) : undefined
    client = createClient({ apiUrl, timeoutMs, transport })
    node = createMiningNode({ wallet, client, pollIntervalMs: 200 })
    await node.watch()
    await client.getHeight()
  },
  /** `callers` calls are under way at a time, until the figures are asked for. */
  attack: ({ callers: count }: { readonly callers: number }) => {
    const asked = client as Client
    calls = { longestMs: 0, answered: 0, untyped: 0 }
    refused = {}
    resetPeak(process.pid)
    watch.reset()
    isAsking = true
    callers = Array.from({ length: count }, (_, index) => keepAsking(asked, index))
  },
  figures: async (): Promise<ClientFigures> => {
    await stop()
    return {
      ...watch.turns(),
      longestCallMs: calls.longestMs,
      answered: calls.answered,
      untyped: calls.untyped,
      refused,
      peakMegabytes: figuresOf(process.pid).peakMegabytes,
    }
  },
  /** The height, once the server is honest again. */
  height: () => client?.getHeight(),
  /** Resolves when nothing is under way any more. */
  close: async () => {
    await node?.close()
    await client?.close()
  },
})
