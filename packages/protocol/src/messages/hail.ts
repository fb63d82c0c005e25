import { sha256Hex } from '../hashing.ts'
import type { Address } from '../values/address.ts'
import type { Hash } from '../values/hash.ts'
import type { Signature } from '../values/signature.ts'
import type { TokenId } from '../values/token-id.ts'
import { PROTOCOL_VERSION } from './envelope.ts'

/** The first message of a mining session: the account and the token it mines. */
export type Hail = {
  readonly address: Address
  readonly tokenId: TokenId
  readonly hash: Hash
  readonly signature: Signature
  readonly referralAgent?: Address | undefined
}

/**
 * Returns what a hail signs: the hash of the server's host, as in the socket address, without port (PROTOCOL 5.3).
 */
export const hailHash = (host: string): Hash => sha256Hex(host)

/** Formats a hail. `referrer` is left out if there is no referral agent. */
export const formatHail = (hail: Hail): string =>
  JSON.stringify({
    ver: PROTOCOL_VERSION,
    method: 'hail',
    data: {
      hash: hail.hash,
      id: hail.address,
      token: hail.tokenId,
      sign: hail.signature,
      referrer: hail.referralAgent,
    },
  })
