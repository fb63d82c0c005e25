import {
  type Address,
  type Hail,
  hailHash,
  isBlockName,
  isHash,
  NodeError,
  type Publication,
  parseTokenId,
  publicationText,
  type Signature,
  written,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { assertAddress } from '../transaction-fields.ts'
import type { SignHailParameters, SignPublicationParameters, Wallet } from './wallet.ts'

const miningNames = ['tokenId', 'referralAgent']

/** Signs the messages of a mining session. In its own file, so that apps that must not mine can leave it out. */
export function miningSignatures(
  address: Address,
  sign: (text: string) => Signature,
): Pick<Wallet, 'signHail' | 'signPublication'> {
  const signHail = (parameters: SignHailParameters): Hail => {
    assertNames('of signHail', parameters, ['host', ...miningNames])
    const { host, tokenId, referralAgent } = Object(parameters) as SignHailParameters
    assertHost(host)
    assertMiningNames({ tokenId, referralAgent })
    const hash = hailHash(host)
    return { address, tokenId, hash, signature: sign(hash), referralAgent }
  }

  const signPublication = (parameters: SignPublicationParameters): Publication => {
    assertNames('of signPublication', parameters, ['microblockHash', 'keyBlockHash', ...miningNames])
    const given = Object(parameters) as SignPublicationParameters
    const { microblockHash, keyBlockHash, tokenId, referralAgent } = given
    if (!isHash(microblockHash)) throw new NodeError('HASH_MALFORMED', { text: written(microblockHash) })
    if (!isBlockName(keyBlockHash)) throw new NodeError('HASH_MALFORMED', { text: written(keyBlockHash) })
    assertMiningNames({ tokenId, referralAgent })
    const signature = sign(publicationText({ microblockHash, referralAgent, tokenId }))
    return { keyBlockHash, microblockHash, signature, address, tokenId, referralAgent }
  }

  return { signHail, signPublication }
}

/**
 * A hail signs the hash of a host, and a transaction the hash of 384 characters. A gateway that could choose a
 * "host" of that length would get a payment signed; no real host is longer than 253 characters.
 */
function assertHost(host: string): void {
  if (typeof host === 'string' && /^[0-9A-Za-z.:_[\]-]{1,253}$/.test(host)) return
  throw new NodeError('URL_REFUSED', { url: written(host), reason: 'it is not the name of a host' })
}

/** Fixed lengths keep the parts of a publication apart: it joins them without a separator. */
function assertMiningNames(names: {
  readonly tokenId: string
  readonly referralAgent: Address | undefined
}): void {
  const { tokenId, referralAgent } = names
  parseTokenId(tokenId)
  if (referralAgent !== undefined) assertAddress(referralAgent)
}
