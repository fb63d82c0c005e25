import { NodeError } from '@hailstone/protocol'
import { bindActions, type ClientActions } from './client-actions.ts'
import type { ClientCore } from './client-core.ts'
import { type ClientNetwork, type Network, networkAt } from './network.ts'
import { parseApiUrl } from './transport/api-url.ts'
import { type Clock, systemClock } from './transport/clock.ts'
import { createFailoverTransport } from './transport/failover-transport.ts'
import { type Logger, silentLogger } from './transport/logger.ts'
import { defaultRetryPolicy, fullBudget, type RetryPolicy } from './transport/retry-policy.ts'
import { systemRandomness } from './transport/system-randomness.ts'
import type { Transport, TransportParameters } from './transport/transport.ts'

export type CreateClientParameters = {
  /** One of {@link networks}, or your own. */
  readonly network?: Network | undefined
  /** Base of the API, for example `http://127.0.0.1:4000/api/v1`. @default the network's */
  readonly apiUrl?: string | undefined
  /** API nodes of the same network, equal among each other: when one does not answer well, another is asked. */
  readonly apiUrls?: readonly string[] | undefined
  /** Plain http to other hosts than this machine. @default false */
  readonly allowInsecure?: boolean | undefined
  /** @default undici on Node, fetch in a browser */
  readonly transport?: Transport | undefined
  /** For one call with its retries. @default 10000 */
  readonly timeoutMs?: number | undefined
  /** What differs from {@link defaultRetryPolicy}. Only GETs are ever repeated. */
  readonly retry?: Partial<RetryPolicy> | undefined
  /** @default none: the library is silent */
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  /** Uniform in [0, 1), for jitter and nonces, not for keys. @default the system's source */
  readonly randomness?: (() => number) | undefined
}

/** One network, asked through one transport. Holds no key; can be shared by everything in a program. */
export type Client = ClientCore & ClientActions

/**
 * Puts together all that actions need; the entry of the package for each platform says which transport is its
 * default.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `URL_REFUSED`
 */
export function assembleCore(
  parameters: CreateClientParameters,
  createTransport: (parameters: TransportParameters) => Transport,
): ClientCore {
  const { allowInsecure, timeoutMs = 10_000, logger = silentLogger } = parameters
  const { clock = systemClock, randomness = systemRandomness } = parameters
  assertTimeout(timeoutMs)
  const network = networkOf(parameters)
  const urls = apiUrlsOf(network, parameters)
  const { apiUrl } = urls[0]
  const nodes = () =>
    urls.map((one) => ({ url: one.apiUrl, transport: createTransport({ ...one, allowInsecure }) }))
  const transport = parameters.transport ?? transportOver(nodes(), { clock, randomness })
  const retry: RetryPolicy = { ...defaultRetryPolicy, ...parameters.retry }
  const memory = { retryBudget: fullBudget(retry), nativeTokenId: undefined }
  const close = closeOnce(transport)
  return {
    apiUrl,
    sharingKey: parameters.transport ?? urls.map((one) => one.apiUrl).join(' '),
    network: { ...network, apiUrl },
    transport,
    timeoutMs,
    retry,
    logger,
    clock,
    randomness,
    memory,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A client with every action bound to it; as {@link assembleCore}. */
export function assembleClient(
  parameters: CreateClientParameters,
  createTransport: (parameters: TransportParameters) => Transport,
): Client {
  const core = assembleCore(parameters, createTransport)
  return { ...core, ...bindActions(core) }
}

type Urls = readonly [{ readonly apiUrl: string }, ...{ readonly apiUrl: string }[]]

/** Each node once, the first one first. */
function apiUrlsOf(network: ClientNetwork, { apiUrls, allowInsecure }: CreateClientParameters): Urls {
  const more = apiUrls ?? network.apiUrls ?? []
  const hrefs = [network.apiUrl, ...more].map((text) => parseApiUrl(text, { allowInsecure }).href)
  return [...new Set(hrefs)].map((apiUrl) => ({ apiUrl })) as unknown as Urls
}

type Nodes = Parameters<typeof createFailoverTransport>[0]['nodes']

/** One node needs nobody to choose. */
function transportOver(
  nodes: readonly Nodes[number][],
  by: { readonly clock: Clock; readonly randomness: () => number },
): Transport {
  const [first, ...more] = nodes
  if (first === undefined) throw new TypeError('there is no API node')
  return more.length === 0 ? first.transport : createFailoverTransport({ nodes: [first, ...more], ...by })
}

function networkOf({ network, apiUrls, apiUrl = apiUrls?.[0] }: CreateClientParameters): ClientNetwork {
  if (network !== undefined) {
    return apiUrl === undefined ? network : { ...network, apiUrl, apiUrls: undefined }
  }
  if (apiUrl !== undefined) return networkAt(apiUrl)
  // Never a default: a forgotten setting must not end on the main network.
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'network',
    expected: 'a network or an apiUrl',
    found: 'neither',
  })
}

function assertTimeout(timeoutMs: number): void {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return
  const found = String(timeoutMs)
  throw new NodeError('CONFIGURATION_INVALID', { path: 'timeoutMs', expected: 'milliseconds above 0', found })
}

function closeOnce(transport: Transport): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    closing ??= transport.close?.() ?? Promise.resolve()
    return closing
  }
}
