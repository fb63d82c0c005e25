import { assertArgument, isNodeError } from '@hailstone/protocol'
import { throwIfAborted } from '@hailstone/runtime'
import type { Clock } from './clock.ts'
import {
  afterAnswer,
  afterFault,
  CLEAN_SCORE,
  isDoubtful,
  isNodeFault,
  type NodeScore,
  rankOf,
} from './node-score.ts'
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts'

/** One API node and the way to it. */
export type ApiNode = {
  /** Base of the API node. */
  readonly url: string
  /** Transport to this node alone. */
  readonly transport: Transport
}

/** One node alone: what is asked through it comes from there. */
export type PinnedTransport = Transport & {
  /** Base of the API node. */
  readonly source: string
}

/** A transport over several API nodes that moves on when the node in use fails. */
export type FailoverTransport = Transport & {
  /** Returns the node in use now, alone. */
  readonly pinned: () => PinnedTransport
  /** Every node alone, the one in use first and then the better ones. */
  readonly nodes: () => readonly PinnedTransport[]
}

type Candidate = ApiNode & { score: NodeScore }

/** Weight of an invalid answer, in faults. More than of a missing one. */
const NONSENSE_WEIGHT = 2

/**
 * Several API nodes as one. Questions stay with one node while it answers well, so that what is read fits
 * together; when it fails, a GET goes on to the next within the same deadline, and the node that failed is asked
 * again only when the others are no better. A POST goes to one node and is never repeated here. When every node
 * is in trouble, one of them is asked once: the retry policy of the client decides about more.
 */
export function createFailoverTransport(parameters: {
  readonly nodes: readonly [ApiNode, ...ApiNode[]]
  readonly clock: Clock
  /** Uniform in [0, 1): which of several equal nodes is asked first. */
  readonly randomness: () => number
}): FailoverTransport {
  const { nodes, clock, randomness } = Object(parameters) as typeof parameters
  assertArgument(nodes?.[0]?.transport, 'nodes', 'a list of { url, transport }', nodes)
  assertArgument(clock?.now, 'clock', 'a clock, such as systemClock', clock)
  assertArgument(typeof randomness === 'function', 'randomness', 'a function', randomness)
  const candidates: readonly Candidate[] = nodes.map((node) => ({
    ...node,
    score: CLEAN_SCORE,
  }))
  const now = () => clock.monotonicMs()
  let current = anyOf(candidates)

  function anyOf(equals: readonly Candidate[]): Candidate {
    return equals[Math.floor(randomness() * equals.length)] ?? (candidates[0] as Candidate)
  }

  function best(among: readonly Candidate[]): Candidate {
    const least = Math.min(...among.map(({ score }) => rankOf(score, now())))
    return anyOf(among.filter(({ score }) => rankOf(score, now()) <= least))
  }

  /** The one in use, unless it is in trouble and another is better off. */
  function choose(): Candidate {
    if (!isDoubtful(current.score, now())) return current
    const other = best(candidates)
    if (rankOf(other.score, now()) < rankOf(current.score, now())) current = other
    return current
  }

  async function ask(candidate: Candidate, request: TransportRequest): Promise<TransportAnswer> {
    try {
      const answer = await candidate.transport.request(request)
      candidate.score = afterAnswer(candidate.score, answer, { nowMs: now(), unixMs: clock.now() })
      return { ...answer, source: candidate.url }
    } catch (error) {
      throwIfAborted(request.signal)
      if (isNodeError(error)) candidate.score = afterFault(candidate.score, now())
      throw error
    }
  }

  const others = (tried: readonly Candidate[]): readonly Candidate[] =>
    candidates.filter((one) => !tried.includes(one) && !isDoubtful(one.score, now()))

  async function request(asked: TransportRequest): Promise<TransportAnswer> {
    const endMs = now() + asked.timeoutMs
    const tried: Candidate[] = []
    for (let candidate = choose(); ; candidate = best(others(tried))) {
      tried.push(candidate)
      const isOver = (): boolean => asked.method === 'POST' || others(tried).length === 0 || now() >= endMs
      // A node that hangs must leave time for the others.
      const share = isOver() ? 1 : others(tried).length + 1
      const timeoutMs = Math.max(1, (endMs - now()) / share)
      try {
        const answer = await ask(candidate, { ...asked, timeoutMs })
        if (!isNodeFault(answer.status)) return answer
        // Where others are better off nobody has to wait for as long as this one asks for.
        if (isOver()) return others([]).length > 0 ? { ...answer, retryAfter: null } : answer
      } catch (error) {
        throwIfAborted(asked.signal)
        if (!isNodeError(error) || isOver()) throw error
      }
    }
  }

  const distrust = (source: string): void => {
    const candidate = candidates.find(({ url }) => url === source)
    if (candidate !== undefined) candidate.score = afterFault(candidate.score, now(), NONSENSE_WEIGHT)
  }

  const alone = (candidate: Candidate): PinnedTransport => ({
    source: candidate.url,
    distrust,
    request: (asked) => ask(candidate, asked),
  })

  function ranked(): readonly Candidate[] {
    const first = choose()
    const rest = candidates.filter((one) => one !== first)
    return [first, ...rest.sort((a, b) => rankOf(a.score, now()) - rankOf(b.score, now()))]
  }

  return {
    request,
    distrust,
    pinned: () => alone(choose()),
    nodes: () => ranked().map(alone),
    close: async () => {
      await Promise.all(candidates.map(({ transport }) => transport.close?.()))
    },
  }
}
