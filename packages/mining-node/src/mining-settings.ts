import type { ClientNetwork } from '@hailstone/client'
import {
  type Address,
  decodeReferralCode,
  NodeError,
  parseAddress,
  parseTokenId,
  type TokenId,
  written,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import type { MiningNodeParameters, Platform } from './mining-node.ts'
import type { LeaderCheck } from './session/leader-check.ts'
import { isUnencrypted } from './session/redirect.ts'
import type { LeaderStatus } from './store/mining-snapshot.ts'

const MIN_POLL_MS = 100
const MAX_POLL_MS = 2_000
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

type NetworkParameters = Pick<MiningNodeParameters, 'client' | 'network'>

/** The one that was named, else that of the client: a client that was made of an address alone knows little of it. */
const networkOf = ({ client, network }: NetworkParameters): ClientNetwork | undefined =>
  network ?? client?.network

/** @throws {NodeError} `TOKEN_ID_MALFORMED` */
export function tokenToMine(parameters: Pick<MiningNodeParameters, 'tokenId'> & NetworkParameters): TokenId {
  const { tokenId } = parameters
  if (tokenId !== undefined) return parseTokenId(tokenId)
  return networkOf(parameters)?.nativeTokenId ?? ZERO_TOKEN_ID
}

/**
 * Returns the poll interval that was given, or a few polls for each block where blocks are known to be fast. Undefined
 * leaves the times of polls to the chain.
 */
export function pollIntervalOf({
  pollIntervalMs,
  blockTimeMs = 15_000,
}: Pick<MiningNodeParameters, 'pollIntervalMs' | 'blockTimeMs'>): number | undefined {
  if (pollIntervalMs !== undefined) return positive('pollIntervalMs', pollIntervalMs)
  const perBlock = positive('blockTimeMs', blockTimeMs) / POLLS_PER_BLOCK
  return perBlock < MAX_POLL_MS ? Math.max(MIN_POLL_MS, perBlock) : undefined
}

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

function positive(path: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value
  throw refused(path, 'milliseconds above 0', written(value))
}

type GatewayParameters = Pick<
  MiningNodeParameters,
  'gatewayUrl' | 'gatewayUrls' | 'bootNodeUrls' | 'requireEncryption'
> &
  NetworkParameters

/** At least one. */
export type GatewayUrls = readonly [string, ...string[]]

/**
 * All gateways and boot nodes as sockets want them, each once, the one that was named alone first.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, which never repeats credentials
 */
export function gatewayUrlsOf(parameters: GatewayParameters): GatewayUrls {
  const texts = gatewaysIn(placesOf(parameters))
  const [first, ...others] = new Set(texts.map((text) => parsedGatewayUrl(text, parameters)))
  if (first === undefined) throw refusedGateway('none')
  return [first, ...others]
}

/**
 * Those of the gateways that are boot nodes.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, which never repeats credentials
 */
export const bootNodeUrlsOf = (parameters: GatewayParameters): readonly string[] =>
  (placesOf(parameters).bootNodeUrls ?? []).map((text) => parsedGatewayUrl(text, parameters))

type Gateways = Pick<GatewayParameters, 'gatewayUrl' | 'gatewayUrls' | 'bootNodeUrls'>

/** Whoever names a gateway or a boot node means no other. */
const placesOf = (parameters: GatewayParameters): Gateways =>
  gatewaysIn(parameters).length > 0 ? parameters : (networkOf(parameters) ?? {})

const gatewaysIn = ({ gatewayUrl, gatewayUrls = [], bootNodeUrls = [] }: Gateways): readonly string[] =>
  [gatewayUrl, ...gatewayUrls, ...bootNodeUrls].filter((text) => text !== undefined)

const refusedGateway = (found: string): NodeError =>
  refused('gatewayUrl', 'an address that begins with ws:// or wss://', found)

function parsedGatewayUrl(text: string, { requireEncryption }: GatewayParameters): string {
  if (!canParseUrl(text)) throw refusedGateway('no address')
  const url = new URL(text)
  if (url.username + url.password !== '') throw refusedGateway('credentials in the address')
  if (!/^wss?:$/.test(url.protocol)) throw refusedGateway(url.protocol)
  if (requireEncryption && isUnencrypted(url))
    throw refused('gatewayUrl', 'wss://, since requireEncryption is set', url.origin)
  url.hash = ''
  return url.href
}

type LeaderParameters = Pick<
  MiningNodeParameters,
  'dangerouslySkipLeaderCheck' | 'requireLeaderSignature' | 'verifyLeader'
>

/**
 * Undefined where neither network nor client names a master key, and where the program turned the check off by its name.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` if a signature is required that cannot be verified
 */
export function leaderCheckOf(
  parameters: LeaderParameters & NetworkParameters,
  platform: Pick<Platform, 'verifyLeader'>,
): LeaderCheck | undefined {
  const { network, client, requireLeaderSignature: isRequired = false } = parameters
  const masterPublicKey = network?.masterPublicKey ?? client?.network.masterPublicKey
  if (parameters.dangerouslySkipLeaderCheck !== true && masterPublicKey !== undefined)
    return { masterPublicKey, verify: parameters.verifyLeader ?? platform.verifyLeader, isRequired }
  if (isRequired) throw refused('requireLeaderSignature', 'a master key to verify with', 'none')
  return undefined
}

/** Returns the current settings for verifying leaders' signatures. */
export function leaderStatus(
  { dangerouslySkipLeaderCheck }: Pick<LeaderParameters, 'dangerouslySkipLeaderCheck'>,
  leader: LeaderCheck | undefined,
): LeaderStatus {
  if (dangerouslySkipLeaderCheck === true) return 'off'
  if (leader === undefined) return 'noKey'
  if (leader.verify === undefined) return 'noVerifier'
  return leader.isRequired ? 'on' : 'on, unsigned accepted'
}
