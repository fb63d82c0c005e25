import { NodeError, written } from '@hailstone/protocol'
import type { ClientCore } from './client-core.ts'
import { type ClientNetwork, networkAt } from './network.ts'
import { parseApiUrl } from './transport/api-url.ts'
import { type Clock, systemClock } from './transport/clock.ts'
import { guardedLogger, type Logger } from './transport/logger.ts'
import { defaultRetryPolicy, type RetryPolicy } from './transport/retry-policy.ts'
import { systemRandomness } from './transport/system-randomness.ts'
import type { Transport, TransportParameters } from './transport/transport.ts'

/** Parameters of {@link createClientCore}. */
export type CreateClientCoreParameters = {
  /** One of {@link networks}, or your own, with a gateway or without one. */
  readonly network?: ClientNetwork | undefined
  /** Base of the API, for example `http://127.0.0.1:4000/api/v1`. @default the network's first */
  readonly apiUrl?: string | undefined
  /** Plain http to other hosts than this machine. @default false */
  readonly allowInsecure?: boolean | undefined
  /**
   * Refuses plain http to other hosts than this machine, whatever `allowInsecure` says: for programs whose policy is
   * decided apart from their addresses. @default false
   */
  readonly requireEncryption?: boolean | undefined
  /** See {@link Network}. @default the network's */
  readonly takesNewerData?: boolean | undefined
  /** @default undici on Node, fetch in a browser */
  readonly transport?: Transport | undefined
  /** For one call with its retries. @default 10000 */
  readonly timeoutMs?: number | undefined
  /** Overrides of {@link defaultRetryPolicy}. Only GETs are ever repeated. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** @default none: the library is silent */
  readonly logger?: Logger | undefined
  /** Time of the client: deadlines, retries and ages. For tests. @default the system's */
  readonly clock?: Clock | undefined
  /** Uniform in [0, 1), for jitter and nonces, not for keys. @default the system's source */
  readonly randomness?: (() => number) | undefined
}

/** Makes the way to one API node. */
export type CreateTransport = (parameters: TransportParameters) => Transport

/**
 * Puts together all that actions need, over one API node; the entry of the package for each platform says which
 * transport is its default.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export function assembleCore(
  parameters: CreateClientCoreParameters,
  createTransport: CreateTransport,
): ClientCore {
  const { timeoutMs = 10_000 } = parameters
  const allowInsecure = parameters.allowInsecure && !parameters.requireEncryption
  const { clock = systemClock, randomness = systemRandomness } = parameters
  if (!(timeoutMs > 0 && timeoutMs < Number.POSITIVE_INFINITY)) {
    throw misconfigured('timeoutMs', 'milliseconds above 0', written(timeoutMs))
  }
  const given = networkOf(parameters)
  const { takesNewerData = given.takesNewerData } = parameters
  const apiUrl = parseApiUrl(given.apiUrl, { allowInsecure }).href
  const transport = parameters.transport ?? createTransport({ apiUrl, allowInsecure })
  const retry: RetryPolicy = { ...defaultRetryPolicy, ...parameters.retry }
  const close = async (): Promise<void> => transport.close?.()
  return {
    apiUrl,
    sharingKey: parameters.transport ?? apiUrl,
    network: { ...given, apiUrl, takesNewerData },
    transport,
    timeoutMs,
    retry,
    logger: guardedLogger(parameters.logger),
    clock,
    randomness,
    memory: {
      retries: retry.budgetCapacity,
      nativeTokenIds: new Map(),
      answers: new Map(),
      asking: new Map(),
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function networkOf({ network, apiUrl }: CreateClientCoreParameters): ClientNetwork {
  if (network !== undefined) {
    return apiUrl === undefined ? network : { ...network, apiUrl, apiUrls: undefined }
  }
  if (apiUrl !== undefined) return networkAt(apiUrl)
  // Never a default: a forgotten setting must not end on the main network.
  throw misconfigured('network', 'a network or an apiUrl', 'neither')
}

const misconfigured = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })
