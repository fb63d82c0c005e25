import type { Network, Transport, TransportRequest } from '@hailstone/client'
import { type Client, type ClientCore, createClient, createFailoverTransport } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'
import type { ApiAnswer } from './answer.ts'
import { type ApiNode, createApiNode } from './api-node.ts'
import { drawFaultRates, type HttpFaultRates, NO_FAULTS } from './http-faults.ts'
import { createObservation, type Observation } from './observation.ts'
import type { SimulatedChain } from './simulated-chain.ts'

export type ApiNodes = {
  /** Creates a client of all nodes, with the real failover. */
  readonly clientOf: (program: Program, wrap?: (transport: Transport) => Transport) => ClientCore
  /** Returns the time since when no node is reachable. */
  readonly areAwaySinceMs: () => number
  readonly calm: () => void
}

export type ApiNodesParameters = {
  readonly run: Run
  readonly chain: SimulatedChain
  readonly post: (body: string) => ApiAnswer
  readonly inspect: (request: TransportRequest, program: Program) => void
  /** Faults that must not be drawn. */
  readonly without?: HttpFaultRates | undefined
  /** True if nodes are never behind the chain. */
  readonly areUpToDate?: boolean | undefined
  /** True if nodes may report made-up heights. */
  readonly mayLie?: boolean | undefined
}

const LIES = [-5, -1, 1, 3, 500] as const

/** One to three API nodes with fault rates and observations of their own, which change over time. */
export function createApiNodes(parameters: ApiNodesParameters): ApiNodes {
  const { run, chain, post, inspect, without = {}, areUpToDate = false, mayLie = false } = parameters
  const { chance, time } = run
  const observations: Observation[] = []
  const nodes: ApiNode[] = Array.from({ length: chance.pick([1, 1, 2, 3]) }, (_, at) => {
    const observation = createObservation(run, chain)
    observations.push(observation)
    const node = createApiNode({ run, name: `node${at}`, view: observation.view, post, inspect })
    node.faultRates = { ...drawFaultRates(chance), ...without }
    return node
  })
  let isCalm = false
  let awaySinceMs = Number.POSITIVE_INFINITY

  function lying(by: number): ApiNode['lie'] {
    return (path) =>
      path === '/height' ? { status: 200, text: `{"height":${Math.max(1, chain.height + by)}}` } : null
  }

  function disturb(): void {
    if (isCalm) return
    const at = chance.whole(0, nodes.length - 1)
    const [node, observation] = [nodes[at], observations[at]]
    const kind = chance.pick(['away', 'away', 'late', 'left behind', 'lying', 'fine'] as const)
    if (node === undefined || observation === undefined) return
    run.fault('faults', `${node.name} ${kind}`)
    if (kind === 'away') node.isAway = !node.isAway
    if (kind === 'late' && !areUpToDate) observation.lag = chance.whole(0, 2)
    if (kind === 'left behind' && !areUpToDate) observation.stayBehind(chance.ms(5_000, 60_000))
    if (kind === 'lying' && mayLie) node.lie = lying(chance.pick(LIES))
    if (kind === 'fine') node.lie = null
    noteAway()
    time.after(chance.ms(3_000, 60_000), disturb)
  }
  time.after(chance.ms(0, 30_000), disturb)

  function noteAway(): void {
    if (!nodes.every(({ isAway }) => isAway)) awaySinceMs = Number.POSITIVE_INFINITY
    else awaySinceMs = Math.min(awaySinceMs, time.now())
  }

  return {
    areAwaySinceMs: () => awaySinceMs,
    clientOf: (program, wrap) => clientOfNodes({ run, nodes, program, wrap }),
    calm: () => {
      isCalm = true
      for (const node of nodes) Object.assign(node, { faultRates: NO_FAULTS, isAway: false, lie: null })
      for (const observation of observations) observation.catchUp()
      noteAway()
    },
  }
}

/** Creates a client of several nodes for a program, with the real failover. */
export function clientOfNodes(parameters: {
  readonly run: Run
  readonly nodes: readonly ApiNode[]
  readonly program: Program
  readonly wrap?: ((transport: Transport) => Transport) | undefined
  readonly network?: Network | undefined
}): Client {
  const { run, nodes, program, wrap = (transport) => transport, network } = parameters
  const { clock } = program
  const given = nodes.map((node) => ({ url: node.url, transport: node.transportOf(program) }))
  const [first] = given
  if (first === undefined) throw new TypeError('there is no node')
  const randomness = run.chance.next
  const transport = wrap(createFailoverTransport({ nodes: [first, ...given.slice(1)], clock, randomness }))
  return createClient({ apiUrl: first.url, transport, clock, randomness, network })
}
