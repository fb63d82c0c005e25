import type { Answer, OtherNodes, Question } from '@hailstone/fault-injection'
import type { Genesis } from '@hailstone/ledger'
import { type Api, askServer } from '../http/create-api.ts'
import { type Logger, reasonOf } from '../logger.ts'
import type { ChainStore } from '../store/index.ts'
import { type FollowedStore, openLaggingChain } from './lagging-chain.ts'

/** Returns the HTTP interface of a node whose chain the store holds. */
type CreateApi = (store: ChainStore) => Promise<Api>

/** Other nodes of a network's chain, each behind it, as rules of its faults need them. */
export type LaggingNodes = OtherNodes & {
  /** Says how a node answers; to be called before the first question. */
  readonly answerWith: (createApi: CreateApi) => void
  /** Ends them all. Idempotent. */
  readonly close: () => Promise<void>
}

type LaggingNode = {
  readonly ask: (question: Question) => Promise<Answer>
  /** Closes once the questions in progress are answered. */
  readonly finish: () => Promise<void>
  /** Idempotent. */
  readonly close: () => Promise<void>
}

type Parts = {
  readonly source: FollowedStore
  readonly genesis: Pick<Genesis, 'parameters' | 'content'>
  readonly logger: Logger
}

/** Creates the other nodes of a network. Each is started when a fault script first needs it. */
export function createOtherNodes(parts: Parts): LaggingNodes {
  const nodes = new Map<number, LaggingNode>()
  const ending = new Set<LaggingNode>()
  let isClosed = false
  let createApi: CreateApi | undefined

  function nodeOf(blocksBehind: number): LaggingNode {
    const present = nodes.get(blocksBehind)
    if (present !== undefined) return present
    const node = openNode({ ...parts, blocksBehind }, (store) => {
      if (createApi === undefined) throw new Error('Another node needs an API.')
      return createApi(store)
    })
    nodes.set(blocksBehind, node)
    return node
  }

  async function end(blocksBehind: number, node: LaggingNode): Promise<void> {
    nodes.delete(blocksBehind)
    ending.add(node)
    await node.finish()
    ending.delete(node)
  }

  return {
    answerWith(create) {
      createApi = create
    },
    async ask(question, blocksBehind) {
      if (isClosed) return null
      try {
        return await nodeOf(blocksBehind).ask(question)
      } catch (error) {
        if (!isClosed) parts.logger.error('another node cannot answer', { reason: reasonOf(error) })
        throw error
      }
    },
    keep(blocksBehind) {
      if (isClosed) return
      for (const [behind, node] of nodes) if (!blocksBehind.has(behind)) void end(behind, node)
      for (const behind of blocksBehind) nodeOf(behind)
    },
    async close() {
      isClosed = true
      await Promise.all([...nodes.values(), ...ending].map((node) => node.close()))
    },
  }
}

function openNode(parts: Parts & { readonly blocksBehind: number }, createApi: CreateApi): LaggingNode {
  const stop = new AbortController()
  const opening = openLaggingChain({ ...parts, signal: stop.signal })
  // Whoever asks is told.
  opening.catch(() => {})
  let catchingUp: Promise<void> = Promise.resolve()
  let api: Promise<Api> | undefined
  let closing: Promise<void> | undefined
  const answering = new Set<Promise<Answer>>()

  async function answer(question: Question): Promise<Answer> {
    const chain = await opening
    catchingUp = catchingUp.catch(() => {}).then(chain.catchUp)
    await catchingUp
    api ??= createApi(chain.store)
    return askServer(await api, question)
  }

  async function end(): Promise<void> {
    stop.abort()
    await Promise.allSettled([...answering, catchingUp])
    await api?.then((one) => one.close()).catch(() => {})
    await opening.then((chain) => chain.close()).catch(() => {})
  }

  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  return {
    async ask(question) {
      const asked = answer(question)
      answering.add(asked)
      try {
        return await asked
      } finally {
        answering.delete(asked)
      }
    },
    async finish() {
      await Promise.allSettled(answering)
      await close()
    },
    close,
  }
}
