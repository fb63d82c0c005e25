import {
  type Address,
  addressOf,
  type Ecdsa,
  encodeReferralCode,
  type Hail,
  hailHash,
  isAddress,
  isBlockName,
  isHash,
  isTokenId,
  NodeError,
  type PrivateKey,
  type Publication,
  publicationText,
  signingHash,
  signText,
  type Transaction,
  type TransactionFields,
} from '@hailstone/protocol'
import { assertTransactionFields } from '../transaction-fields.ts'
import type { SignHailParameters, SignPublicationParameters, Wallet } from './wallet.ts'

type SigningEcdsa = Pick<Ecdsa, 'addressOf' | 'signText'>

const plain: SigningEcdsa = { addressOf, signText }

/** Puts a checked key behind a wallet's functions. The key is not reachable from the object. */
export function walletOfKey(privateKey: PrivateKey, ecdsa: SigningEcdsa = plain): Wallet {
  const address = ecdsa.addressOf(privateKey)
  const sign = (text: string) => ecdsa.signText(text, privateKey)

  const signTransaction = (given: TransactionFields): Transaction => {
    // Read once: what is checked is what is signed, whatever kind of object was given.
    const { amount, data, from, nonce, tokenId, to } = given
    const fields = { amount, data, from, nonce, tokenId, to }
    if (from !== address) {
      throw new NodeError('TRANSACTION_MALFORMED', { reason: 'its sender is not the account of this wallet' })
    }
    assertTransactionFields(fields)
    return { ...fields, signature: sign(signingHash(fields)) }
  }

  const signHail = ({ host, tokenId, referralAgent }: SignHailParameters): Hail => {
    assertHost(host)
    assertMiningNames({ tokenId, referralAgent })
    const hash = hailHash(host)
    return { address, tokenId, hash, signature: sign(hash), referralAgent }
  }

  const signPublication = (parameters: SignPublicationParameters): Publication => {
    const { microblockHash, keyBlockHash, tokenId, referralAgent } = parameters
    if (!isHash(microblockHash)) throw new NodeError('HASH_MALFORMED', { text: String(microblockHash) })
    if (!isBlockName(keyBlockHash)) throw new NodeError('HASH_MALFORMED', { text: String(keyBlockHash) })
    assertMiningNames({ tokenId, referralAgent })
    const signature = sign(publicationText({ microblockHash, referralAgent, tokenId }))
    return { keyBlockHash, microblockHash, signature, address, tokenId, referralAgent }
  }

  const exportPrivateKey = (): string => privateKey
  const referralCode = encodeReferralCode(address)
  return Object.freeze({
    address,
    referralCode,
    signTransaction,
    signHail,
    signPublication,
    exportPrivateKey,
  })
}

/**
 * A hail signs the hash of a host, and a transaction the hash of 384 characters. A gateway that could choose a
 * "host" of that length would get a payment signed; no real host is longer than 253 characters.
 */
function assertHost(host: string): void {
  if (typeof host === 'string' && /^[0-9A-Za-z.:_[\]-]{1,253}$/.test(host)) return
  throw new NodeError('URL_REFUSED', { url: String(host), reason: 'it is not the name of a host' })
}

/** Fixed lengths keep the parts of a publication apart: it joins them without a separator. */
function assertMiningNames(names: {
  readonly tokenId: string
  readonly referralAgent: Address | undefined
}): void {
  const { tokenId, referralAgent } = names
  if (!isTokenId(tokenId)) throw new NodeError('TOKEN_ID_MALFORMED', { text: String(tokenId) })
  if (referralAgent !== undefined && !isAddress(referralAgent)) {
    throw new NodeError('ADDRESS_MALFORMED', { text: String(referralAgent) })
  }
}
