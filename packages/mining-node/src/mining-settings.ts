import {
  type Address,
  decodeReferralCode,
  NodeError,
  parseAddress,
  parseTokenId,
  type TokenId,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import type { MiningNodeParameters, Platform } from './mining-node.ts'
import type { LeaderCheck } from './session/newest-check.ts'

const LEAST_POLL_MS = 100
const MOST_POLL_MS = 2_000
const POLLS_PER_BLOCK = 5

/**
 * The account behind what a person entered. The network only ever sees the address.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED`
 */
export function parseReferralAgent(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined
  return /^0[23]/.test(text) ? parseAddress(text) : decodeReferralCode(text)
}

/** @throws {NodeError} `TOKEN_ID_MALFORMED` */
export function tokenToMine({
  tokenId,
  client,
  network,
}: Pick<MiningNodeParameters, 'tokenId' | 'client' | 'network'>): TokenId {
  if (tokenId !== undefined) return parseTokenId(tokenId)
  return (client?.network ?? network)?.nativeTokenId ?? ZERO_TOKEN_ID
}

/** A few polls for each block, so that a change is seen soon after it happened. */
export function pollIntervalOf({
  pollIntervalMs,
  blockTimeMs = 15_000,
}: Pick<MiningNodeParameters, 'pollIntervalMs' | 'blockTimeMs'>): number {
  if (pollIntervalMs === undefined) {
    positive('blockTimeMs', blockTimeMs)
    return Math.min(MOST_POLL_MS, Math.max(LEAST_POLL_MS, blockTimeMs / POLLS_PER_BLOCK))
  }
  return positive('pollIntervalMs', pollIntervalMs)
}

function positive(path: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw new NodeError('CONFIGURATION_INVALID', {
    path,
    expected: 'milliseconds above 0',
    found: String(value),
  })
}

const refusedGateway = (found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path: 'gatewayUrl', expected: 'a ws: or wss: address', found })

type GatewayParameters = Pick<MiningNodeParameters, 'gatewayUrl' | 'gatewayUrls' | 'client' | 'network'>

/**
 * The address of the gateway, as sockets want it.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, which never repeats credentials
 */
export function gatewayUrlOf(parameters: GatewayParameters): string {
  const [first] = gatewayUrlsOf(parameters)
  return first
}

/** At least one. */
export type GatewayUrls = readonly [string, ...string[]]

/**
 * All gateways, each once, the one that was named alone first.
 *
 * @throws {NodeError} as {@link gatewayUrlOf}
 */
export function gatewayUrlsOf(parameters: GatewayParameters): GatewayUrls {
  const { gatewayUrl, gatewayUrls = [], client, network } = parameters
  const named = gatewayUrl === undefined ? gatewayUrls : [gatewayUrl, ...gatewayUrls]
  const preset = network ?? client?.network
  const texts = named.length > 0 ? named : [preset?.gatewayUrl, ...(preset?.gatewayUrls ?? [])]
  const [first, ...others] = [...new Set(texts.filter((text) => text !== undefined).map(parsedGatewayUrl))]
  if (first === undefined) throw refusedGateway('none')
  return [first, ...others]
}

function parsedGatewayUrl(text: string): string {
  if (!URL.canParse(text)) throw refusedGateway('no address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refusedGateway('credentials in the address')
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw refusedGateway(url.protocol)
  }
  url.hash = ''
  return url.href
}

type LeaderParameters = Pick<
  MiningNodeParameters,
  'dangerouslySkipLeaderCheck' | 'verifyLeader' | 'client' | 'network'
>

/** Undefined where no master key is known, and where the program turned the check off by its name. */
export function leaderCheckOf(
  { dangerouslySkipLeaderCheck, verifyLeader, client, network }: LeaderParameters,
  platform: Platform,
): LeaderCheck | undefined {
  const masterPublicKey = (client?.network ?? network)?.masterPublicKey
  if (dangerouslySkipLeaderCheck === true || masterPublicKey === undefined) return undefined
  return { masterPublicKey, verify: verifyLeader ?? platform.verifyLeader }
}
