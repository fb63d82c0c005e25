import { assertArgument, NodeError, written } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { assembleCore, type CreateClientCoreParameters, type CreateTransport } from './assemble-core.ts'
import { bindActions, type ClientActions } from './client-actions.ts'
import type { ClientCore } from './client-core.ts'
import { diagnostics, type NameChecks } from './diagnostics.ts'
import { parseApiUrl } from './transport/api-url.ts'
import { systemClock } from './transport/clock.ts'
import { type ApiNode, createFailoverTransport } from './transport/failover-transport.ts'
import { guardedLogger, type Logger, logFailure } from './transport/logger.ts'
import { createQuorumTransport, type Disagreement } from './transport/quorum-transport.ts'
import { systemRandomness } from './transport/system-randomness.ts'

/** Parameters of {@link createClient}. */
export type CreateClientParameters = CreateClientCoreParameters & {
  /** API nodes of the same network, equal among each other: when one does not answer well, another is asked. */
  readonly apiUrls?: readonly string[] | undefined
  /**
   * Number of API nodes that must report the same balance. Each read queries at least this many nodes and rejects
   * with `NODES_DISAGREE` if they do not agree or if there are not enough of them.
   *
   * @default 1: the one in use is believed
   */
  readonly quorum?: number | undefined
  /** With a quorum: nodes were outvoted that stand at the same height. @default a warning to the logger */
  readonly onDisagreement?: ((disagreement: Disagreement) => void) | undefined
}

/** One network, asked through one transport. Holds no key; can be shared by everything in a program. */
export type Client<Extension extends object = object> = ClientCore &
  ClientActions &
  Extension & {
    /**
     * Returns the client with further actions, made of the client so far. None may have a name that is there already.
     *
     * @throws {NodeError} `ARGUMENT_INVALID`
     * @example
     * const mine = client.extend((base) => ({ myBalance: () => base.getBalance({ address }) }))
     */
    readonly extend: <const More extends object>(
      actions: (client: Client<Extension>) => More & NotOfClient,
    ) => Client<Extension & More>
  }

/** Forbids the names that every client has. */
type NotOfClient = { readonly [K in keyof (ClientCore & ClientActions) | 'extend']?: never }

/** A client of all API nodes that were named, with every action bound to it; as {@link assembleCore}. */
export function assembleClient(
  parameters: CreateClientParameters,
  createTransport: CreateTransport,
  names?: NameChecks,
): Client {
  assertArgument(
    Object(parameters) === parameters,
    'of createClient',
    'an object, such as { apiUrl }',
    parameters,
  )
  names?.client(parameters)
  const { apiUrls, clock = systemClock, randomness = systemRandomness, quorum = 1 } = parameters
  const logger = guardedLogger(parameters.logger)
  const apiUrl = parameters.apiUrl ?? apiUrls?.[0]
  const more = apiUrls ?? (apiUrl === undefined ? parameters.network?.apiUrls : undefined) ?? []
  let sharingKey: string | undefined
  let count = 1
  const core = assembleCore({ ...parameters, apiUrl }, (first) => {
    const nodeAt = (url: string): ApiNode => ({ url, transport: createTransport({ ...first, apiUrl: url }) })
    const hrefs = new Set(more.map((text) => parseApiUrl(text, first).href))
    hrefs.delete(first.apiUrl)
    // One node needs nobody to choose.
    if (hrefs.size === 0) return createTransport(first)
    sharingKey = [first.apiUrl, ...hrefs, ...(quorum > 1 ? [quorum] : [])].join(' ')
    count += hrefs.size
    const nodes = [nodeAt(first.apiUrl), ...[...hrefs].map(nodeAt)] as const
    const failover = createFailoverTransport({ nodes, clock, randomness })
    return quorum > 1
      ? createQuorumTransport({
          failover,
          quorum,
          clock,
          onDisagreement: disagreementListener(parameters.onDisagreement, logger),
        })
      : failover
  })
  if (!Number.isInteger(quorum) || quorum < 1 || quorum > count) {
    const expected = `a number of API nodes from 1 to the ${count} there are`
    throw new NodeError('CONFIGURATION_INVALID', { path: 'quorum', expected, found: written(quorum) })
  }
  const shared = {
    ...core,
    diagnostics: { ...diagnostics, names },
    ...(sharingKey !== undefined && { sharingKey }),
  }
  return extendable({ ...shared, ...bindActions(shared) })
}

function extendable<Extension extends object>(
  base: ClientCore & ClientActions & Extension,
): Client<Extension> {
  const client: Client<Extension> = {
    ...base,
    extend: <const More extends object>(actions: (client: Client<Extension>) => More & NotOfClient) => {
      assertArgument(typeof actions === 'function', 'of extend', 'a function that returns actions', actions)
      const more = actions(client)
      const taken = Object.keys(more).find((name) => name in client)
      assertArgument(taken === undefined, 'of extend', 'actions under names of their own', taken)
      return extendable<Extension & More>({ ...base, ...more })
    },
  }
  return client
}

/** Returns a listener for disagreements of API nodes that logs an error thrown by the program's own listener. */
function disagreementListener(
  onDisagreement: CreateClientParameters['onDisagreement'],
  logger: Logger,
): (disagreement: Disagreement) => void {
  if (onDisagreement !== undefined) return guarded(onDisagreement, logFailure(logger, 'onDisagreement'))
  return ({ path, outvoted, answers }) =>
    logger.warn('API nodes disagree', {
      path,
      outvoted: outvoted.join(' '),
      answers: JSON.stringify(answers),
    })
}
