import { ascending, fieldHash, sha256Hex } from './hashing.ts'
import { hmacHex } from './hmac.ts'
import { type Transaction, transactionHash } from './transaction.ts'
import type { Address } from './values/address.ts'
import type { Hash } from './values/hash.ts'
import type { Signature } from './values/signature.ts'
import type { TokenId } from './values/token-id.ts'

/** A batch of transactions for one publisher, offered by a leader. */
export type MicroblockContent = {
  readonly keyBlockHash: Hash
  readonly publisher: Address
  readonly nonce: number
  readonly transactions: readonly Transaction[]
}

/** A microblock signed by its publisher and mined in one token. */
export type Microblock = MicroblockContent & {
  readonly hash: Hash
  readonly signature: Signature
  readonly tokenId: TokenId
  /** Account that invited the publisher. The reward look-up uses its exact text. */
  readonly referralAgent: Address | null
}

/** Hashes the transaction hashes in ascending order, joined without separator (PROTOCOL 4.2). */
export const transactionsHash = (hashes: readonly string[]): Hash =>
  sha256Hex([...hashes].sort(ascending).join(''))

/** Computes the hash of a microblock from its content (PROTOCOL 4). */
export function microblockHashOf(parameters: {
  readonly keyBlockHash: string
  readonly nonce: number | bigint
  readonly publisher: string
  readonly transactionHashes: readonly string[]
}): Hash {
  const { keyBlockHash, nonce, publisher, transactionHashes } = parameters
  return sha256Hex(
    keyBlockHash.toLowerCase() +
      String(nonce) +
      publisher.toLowerCase() +
      transactionsHash(transactionHashes),
  )
}

/** Returns the hash of a microblock. It does not cover token, referral agent and signature (PROTOCOL 4.2). */
export const microblockHash = (content: MicroblockContent): Hash =>
  microblockHashOf({ ...content, transactionHashes: content.transactions.map(transactionHash) })

/** Returns the text that the publisher signs: hash, referral agent if any, token (PROTOCOL 5.6). */
export const publicationText = (parameters: {
  readonly microblockHash: string
  readonly referralAgent: string | null | undefined
  readonly tokenId: string
}): string => parameters.microblockHash + (parameters.referralAgent ?? '') + parameters.tokenId

/** A vote of a proof-of-stake pool; its publisher is the pool's 64-digit id. */
export type StatBlock = {
  readonly hash: Hash
  readonly keyBlockHash: Hash
  readonly publisher: Hash
  readonly bulletin: string
  readonly signature: string
}

/** Returns the hash of a statblock (PROTOCOL 4.3). */
export const statBlockHash = (block: Omit<StatBlock, 'hash'>): Hash =>
  hmacHex([block.bulletin, block.keyBlockHash, block.publisher, block.signature].map(fieldHash).join(''))
