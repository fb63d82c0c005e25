import {
  type Address,
  decodeReferralCode,
  NodeError,
  parseAddress,
  parseTokenId,
  type TokenId,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import type { MiningNodeParameters } from './mining-node.ts'

const LEAST_POLL_MS = 100
const MOST_POLL_MS = 3_000
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
export function tokenToMine({ tokenId, client, network }: MiningNodeParameters): TokenId {
  if (tokenId !== undefined) return parseTokenId(tokenId)
  return (client?.network ?? network)?.nativeTokenId ?? ZERO_TOKEN_ID
}

/** A few polls for each block, so that a change is seen soon after it happened. */
export function pollIntervalOf({ pollIntervalMs, blockTimeMs = 15_000 }: MiningNodeParameters): number {
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

/**
 * The address of the gateway, as sockets want it.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, which never repeats credentials
 */
export function gatewayUrlOf({ gatewayUrl, client, network }: MiningNodeParameters): string {
  const text = gatewayUrl ?? network?.gatewayUrl ?? client?.network.gatewayUrl
  const refused = (found: string): NodeError =>
    new NodeError('CONFIGURATION_INVALID', { path: 'gatewayUrl', expected: 'a ws: or wss: address', found })
  if (text === undefined) throw refused('none, and no network that names one')
  if (!URL.canParse(text)) throw refused('what is no address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refused('credentials in the address')
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:')
    throw refused(`an address that begins with ${url.protocol}`)
  url.hash = ''
  return url.href
}
