import {
  apiError,
  balanceEndpoint,
  type Endpoint,
  heightEndpoint,
  isNodeError,
  type NodeError,
  type Parameters,
  quorumError,
  stringifyJson,
} from '@hailstone/protocol'
import { readEndpointAnswer } from '../endpoint-answer.ts'
import type { Clock } from './clock.ts'
import type { FailoverTransport, PinnedTransport } from './failover-transport.ts'
import { isNodeFault } from './node-score.ts'
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts'

/** Answer of one API node. */
export type NodeAnswer = {
  /** Base of the API node that gave the answer. */
  readonly source: string
  /** Null when it moved on while it was asked. */
  readonly height: number | null
  /** JSON of what was read out of its answer. */
  readonly value: string
}

/** API nodes that say different things of one account at one height, for longer than a macroblock is calculated. */
export type Disagreement = {
  /** Path of the request, without the base. */
  readonly path: string
  /** Base addresses of those that were outvoted. */
  readonly outvoted: readonly string[]
  readonly answers: readonly NodeAnswer[]
}

export type QuorumParameters = {
  readonly failover: FailoverTransport
  /** Number of nodes that must give the same answer. */
  readonly quorum: number
  readonly clock: Clock
  readonly onDisagreement: (disagreement: Disagreement) => void
}

type Reading = NodeAnswer & { readonly answer: TransportAnswer }
type Asked = { readonly request: TransportRequest; readonly nodes: readonly PinnedTransport[] }

/** Longer than nodes of one height differ because one of them has not yet booked the block below. */
const PAUSE_MS = 1_000

/**
 * Believes a balance when several API nodes say the same. As many as are needed are asked, and no others while they
 * agree; else all are, together with their heights, until enough agree or time is up. Everything else goes to one node.
 * Through a pinned node only what that node itself says comes back, or an error.
 *
 * Balance requests reject with `NODES_DISAGREE`, with every answer.
 */
export function createQuorumTransport(parameters: QuorumParameters): Transport {
  const { failover } = parameters
  const isJudged = ({ path }: TransportRequest): boolean => path === balanceEndpoint.path
  return {
    ...failover,
    request: (request) =>
      isJudged(request)
        ? agreed(parameters, { request, nodes: failover.nodes() })
        : failover.request(request),
    pinned: () => {
      const own = failover.pinned()
      const nodes = () => [own, ...failover.nodes().filter(({ source }) => source !== own.source)]
      return {
        ...own,
        request: (request) =>
          isJudged(request)
            ? agreed(parameters, { request, nodes: nodes() }, own.source)
            : own.request(request),
      }
    },
  }
}

async function agreed(parameters: QuorumParameters, asked: Asked, only?: string): Promise<TransportAnswer> {
  const { quorum, clock, failover, onDisagreement } = parameters
  const { request, nodes } = asked
  const { path, timeoutMs, signal } = request
  const endMs = clock.monotonicMs() + timeoutMs
  const few = { ...asked, nodes: nodes.slice(0, quorum) }
  let readings = await readAll(few, { read: readValue, timeoutMs: timeoutMs / 3, only })
  let group = largest(readings)
  for (let round = 1; group.length < quorum; round++) {
    const before = readings
    const leftMs = Math.max(1, endMs - clock.monotonicMs())
    readings = await readAll(asked, { read: readWithHeight, timeoutMs: leftMs / 3, only })
    const most = largest(readings)
    // One that is a moment behind, or ahead, is asked twice before it is held against it.
    if (most.length === readings.length || round > 1) group = most
    if (group.length >= quorum) {
      const outvoted = liars({ before, readings, group })
      for (const source of outvoted) failover.distrust?.(source)
      if (outvoted.length > 0) onDisagreement({ path, outvoted, answers: readings.map(plain) })
    } else if (endMs - clock.monotonicMs() < PAUSE_MS + timeoutMs / 3)
      throw disagreement(request, quorum, readings)
    else await clock.sleep(PAUSE_MS, signal)
  }
  const reported = only === undefined ? group[0] : group.find(({ source }) => source === only)
  if (reported !== undefined) return reported.answer
  // Who reads on from this node would take the others' words for its own.
  if (only !== undefined) failover.distrust?.(only)
  throw disagreement(request, quorum, readings)
}

const disagreement = (
  { path }: TransportRequest,
  quorum: number,
  readings: readonly Reading[],
): NodeError<'NODES_DISAGREE'> =>
  quorumError('NODES_DISAGREE', { path, quorum, answers: readings.map(plain) })

const plain = ({ source, height, value }: Reading): NodeAnswer => ({ source, height, value })

/** The answer that most give. */
function largest(readings: readonly Reading[]): readonly Reading[] {
  const groups = readings.map(({ value }) => readings.filter((other) => other.value === value))
  return groups.reduce((most, group) => (group.length > most.length ? group : most), [])
}

/** Those that said the same other thing twice, at a height at which one of the many stands as well. */
function liars(seen: {
  readonly before: readonly Reading[]
  readonly readings: readonly Reading[]
  readonly group: readonly Reading[]
}): readonly string[] {
  const { before, readings, group } = seen
  const heights = new Set(group.map(({ height }) => height))
  const isSame = (a: Reading, b: Reading): boolean =>
    a.source === b.source && a.value === b.value && a.height === b.height
  return readings
    .filter((reading) => !group.includes(reading) && reading.height !== null && heights.has(reading.height))
    .filter((reading) => before.some((earlier) => isSame(earlier, reading)))
    .map(({ source }) => source)
}

type Read = (node: PinnedTransport, request: TransportRequest) => Promise<Reading>
type How = { readonly read: Read; readonly timeoutMs: number; readonly only: string | undefined }

/** Reads the answers of the nodes. Rejects with the error of a required node, or of any node if none answered. */
async function readAll(
  { request, nodes }: Asked,
  { read, timeoutMs, only }: How,
): Promise<readonly Reading[]> {
  const outcomes = await Promise.allSettled(nodes.map((node) => read(node, { ...request, timeoutMs })))
  const readings: Reading[] = []
  let failure: unknown
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') readings.push(outcome.value)
    else if (!isNodeError(outcome.reason) || nodes[at]?.source === only) throw outcome.reason
    else failure ??= outcome.reason
  }
  if (readings.length === 0) throw failure
  return readings
}

async function readValue(node: PinnedTransport, request: TransportRequest): Promise<Reading> {
  const { answer, content } = await ask(node, request, balanceEndpoint)
  return { source: node.source, height: null, value: stringifyJson(content ?? null), answer }
}

/** A height before and after: what is said between two equal ones was said there. */
async function readWithHeight(node: PinnedTransport, request: TransportRequest): Promise<Reading> {
  const question: TransportRequest = { ...request, path: heightEndpoint.path, query: undefined }
  const height = async () => (await ask(node, question, heightEndpoint)).content?.height ?? 0
  const first = await height()
  const reading = await readValue(node, request)
  return { ...reading, height: (await height()) === first ? first : null }
}

/** One node's answer, read; nonsense is held against it, and trouble may be over when it is asked again. */
async function ask<P extends Parameters, T>(
  node: PinnedTransport,
  request: TransportRequest,
  endpoint: Endpoint<P, T>,
): Promise<{ readonly answer: TransportAnswer; readonly content: T | undefined }> {
  const answer = await node.request(request)
  const { path } = request
  if (isNodeFault(answer.status)) {
    throw apiError('REQUEST_FAILED', { path, reason: `${node.source} answered ${answer.status}` })
  }
  try {
    return { answer, content: readEndpointAnswer(endpoint, answer) }
  } catch (error) {
    if (isNodeError(error, 'RESPONSE_INVALID')) node.distrust?.(node.source)
    throw error
  }
}
