import { type Listener, openListener } from '@hailstone/fault-injection'
import type { ClosedMacroblock } from '@hailstone/ledger'
import type { KeyBlock } from '@hailstone/protocol'
import { countAcceptedConnection } from './accepted-connections.ts'
import type { Clock } from './clock.ts'
import { connectionShares } from './connection-shares.ts'
import type { PendingPool } from './http/api-parts.ts'
import { type Api, type ApiOptions, createApi } from './http/index.ts'
import { exampleBodies } from './http/reference/example-bodies.ts'
import { createRequestTurns } from './http/request-turns.ts'
import { type Logger, reasonOf } from './logger.ts'
import type { OpenNetwork } from './open-network.ts'
import { createLiveStore } from './store/index.ts'

/** Requests in progress get this long. */
const FAREWELL_MS = 500

export type ApiParameters = {
  readonly host: string
  readonly port: number
  /** Names besides the host that requests may name. */
  readonly allowHosts: readonly string[]
  /** The one that delays are measured with. */
  readonly clock: Clock
  readonly blockTimeMs: number
  readonly logger: Logger
  readonly more: ApiOptions['more']
  readonly validateAnswers: ApiOptions['validateAnswers']
  readonly newerData: ApiOptions['newerData']
  readonly appVersion: ApiOptions['appVersion']
}

export type OpenApi = {
  readonly port: number
  readonly listener: Listener
  /** Idempotent. */
  readonly close: () => Promise<void>
}

/** The pool of a node that has heard of no transaction: what is posted goes to this one. */
const emptyPool = ({ add }: PendingPool): PendingPool => ({
  add,
  get: () => undefined,
  ofAccount: () => [],
  size: 0,
})

/** The HTTP interface of a network behind a listener. @throws {NodeError} `PORT_IN_USE`, `SOCKET_FAILED` */
export async function openApi(network: OpenNetwork, parameters: ApiParameters): Promise<OpenApi> {
  const { calendar, cluster, faults, producer } = network
  // What kept a process from closing a macroblock is the new leader's business when there is one.
  const isProducing = (): boolean => ['alone', 'leader'].includes(cluster.role())
  const turns = createRequestTurns({
    onFailure: (error) => parameters.logger.error('a request failed', { reason: reasonOf(error) }),
  })
  const tip = (): KeyBlock | null => (cluster.isLeaseFresh() ? producer.tip() : null)
  const storing = (): ClosedMacroblock | null =>
    cluster.isLeaseFresh() ? (producer.storing()?.closed ?? null) : null
  const { transferLockBlocks } = network.parameters
  const common = {
    turns,
    ...network,
    ...parameters,
    clock: { now: calendar.now } satisfies Pick<Clock, 'now'>,
    hosts: { bound: parameters.host, allowed: parameters.allowHosts },
  }
  network.otherNodes.answerWith((store) =>
    createApi({ ...common, store, mempool: emptyPool(network.pool), more: undefined }),
  )
  const api: Api = await createApi({
    ...common,
    store: createLiveStore({ ...network, store: network.clients.store, tip, transferLockBlocks }),
    live: { tip, storing, on: network.on },
    readCopy: network.clients.copyState,
    leaderLine: () => network.lines?.condition() ?? null,
    mempool: network.pool,
    producerState: () => {
      const condition = producer.condition()
      return {
        ...condition,
        failure: (isProducing() ? condition.failure : null) ?? cluster.trouble(),
      }
    },
    around: faults.http.around,
    exampleBodies: () => exampleBodies(network),
  })
  try {
    const listener = await openListener({
      ...parameters,
      scheme: 'http',
      onAccepted: () => countAcceptedConnection('api'),
      server: api.server,
      sniff: faults.http.sniff,
      later: faults.later,
      maxOpenRequests: turns.maxOpenRequests,
      maxConnections: connectionShares({}).api,
    })
    return { port: listener.port, listener, close: () => listener.close(FAREWELL_MS).then(() => api.close()) }
  } catch (error) {
    await api.close()
    throw error
  }
}
