import { isIPv6 } from 'node:net'
import {
  type Address,
  type HailData,
  hailHash,
  type JsonValue,
  looksLikeAddress,
  sha256Hex,
  type TokenId,
  type VerifyText,
} from '@hailstone/protocol'
import type { ReceivedHail } from '../leader/gateway-end.ts'

/** Account and token that a hail introduces. */
export type Introduction = { readonly address: Address; readonly tokenId: TokenId }

/**
 * Reads a hail: the public gateway looks at `id` and `token` only, and so do we (PROTOCOL 5.3). Null when the id
 * cannot be an account. Nothing is lower-cased; a capital finds no balance.
 */
export function readIntroduction(data: HailData, nativeTokenId: TokenId): Introduction | null {
  const { id, token } = data
  if (typeof id !== 'string' || !looksLikeAddress(id)) return null
  if (token === undefined || token === null || token === '') {
    return { address: id as Address, tokenId: nativeTokenId }
  }
  return typeof token === 'string' && token.length <= 64
    ? { address: id as Address, tokenId: token as TokenId }
    : null
}

/** A signature, a hash, an address and a host name are all shorter, in a message with its quotes. */
const LONGEST_PROOF_BYTES = 256

const proofIn = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' &&
  value.length <= LONGEST_PROOF_BYTES &&
  Buffer.byteLength(JSON.stringify(value)) <= LONGEST_PROOF_BYTES
    ? value
    : null

/**
 * Returns the part of a hail that can prove its key: texts of a sensible length. A gateway keeps them as long as the
 * connection, and tells them to the leader with those of all others, so no stranger may make them long.
 */
export const keptHail = ({ id, token, hash, signature, referrer }: HailData, host: string): ReceivedHail => ({
  host: proofIn(host) ?? '',
  data: {
    id: proofIn(id),
    token: proofIn(token),
    hash: proofIn(hash),
    signature: proofIn(signature),
    referrer: proofIn(referrer),
  },
})

/** Tail of the extended form: nothing, an address, an identifier of a token, or both. */
const EXTENDED_TAIL = /^(?:0[23][0-9a-f]{64})?(?:[0-9a-f]{64})?$/i

/** Spellings of a host in a socket address: an IPv6 address stands there with brackets and without them. */
function spellingsOf(host: string): readonly string[] {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (!isIPv6(bare)) return [host]
  const { hostname: short } = new URL(`ws://[${bare}]`)
  return [host, bare, `[${bare}]`, short, short.slice(1, -1)]
}

/**
 * True if a hail proves its key: in the plain form, or the extended one with referral agent and token.
 *
 * The extended form has no mark between its parts. Were any text taken for the agent or the token, a hail for the host
 * `localhost.example` would also be one for `localhost` with the agent `.example`, and without a host one for any. No
 * host ends with 64 hex digits: a label of a name has 63 characters at most.
 */
export function isHailSigned(parameters: {
  readonly data: HailData
  /** Host as the miner wrote it in the socket address, without port. A hail for no host proves nothing. */
  readonly host: string
  readonly verify: VerifyText
}): boolean {
  const { data, host, verify } = parameters
  const { id, token, hash, signature, referrer } = data
  if (typeof id !== 'string' || typeof signature !== 'string' || typeof hash !== 'string') return false
  if (host === '') return false
  const tail = `${typeof referrer === 'string' ? referrer : ''}${typeof token === 'string' ? token : ''}`
  const isExtended = EXTENDED_TAIL.test(tail)
  const isOfHost = (one: string): boolean =>
    hash === hailHash(one) || (isExtended && hash === sha256Hex(one + tail))
  if (!spellingsOf(host).some(isOfHost)) return false
  return verify({ text: hash, signature, address: id })
}
