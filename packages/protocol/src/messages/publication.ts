import type { Address } from '../values/address.ts'
import type { Hash } from '../values/hash.ts'
import type { Signature } from '../values/signature.ts'
import type { TokenId } from '../values/token-id.ts'
import { PROTOCOL_VERSION } from './envelope.ts'

/** The signed answer to a beacon. */
export type Publication = {
  readonly keyBlockHash: Hash
  readonly microblockHash: Hash
  readonly signature: Signature
  readonly address: Address
  readonly tokenId: TokenId
  /** Left out of the message if absent: `null` and an empty text are refused (PROTOCOL 5.6). */
  readonly referralAgent?: Address | undefined
}

/** Returns the text of the message that publishes a signed microblock (PROTOCOL 5.6). */
export const formatPublication = (publication: Publication): string =>
  JSON.stringify({
    ver: PROTOCOL_VERSION,
    method: 'publish',
    data: {
      kblocks_hash: publication.keyBlockHash,
      m_hash: publication.microblockHash,
      referrer: publication.referralAgent,
      sign: publication.signature,
      id: publication.address,
      token: publication.tokenId,
    },
  })
