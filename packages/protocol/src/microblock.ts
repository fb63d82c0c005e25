import { ascending, fieldHash, hmacHex, sha256Hex } from './hashing.ts'
import { type Transaction, transactionHash } from './transaction.ts'
import type { Address } from './values/address.ts'
import type { Hash } from './values/hash.ts'
import type { Signature } from './values/signature.ts'
import type { TokenId } from './values/token-id.ts'

/** A batch of transactions for one publisher, as a leader offers it. */
export type MicroblockContent = {
  readonly keyBlockHash: Hash
  readonly publisher: Address
  readonly nonce: number
  readonly transactions: readonly Transaction[]
}

/** A microblock that its publisher signed, mined in one token. */
export type Microblock = MicroblockContent & {
  readonly hash: Hash
  readonly signature: Signature
  readonly tokenId: TokenId
  /** The account that invited the publisher; its exact text takes part in the reward look-up. */
  readonly referralAgent: Address | null
}

/** Hashes the transaction hashes in ascending order, joined without separator (PROTOCOL 4.2). */
export const transactionsHash = (hashes: readonly string[]): Hash =>
  sha256Hex([...hashes].sort(ascending).join(''))

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

/** Identifies a microblock; token, referral agent and signature take no part (PROTOCOL 4.2). */
export const microblockHash = (content: MicroblockContent): Hash =>
  microblockHashOf({ ...content, transactionHashes: content.transactions.map(transactionHash) })

/** What the publisher signs: hash, referral agent if there is one, token (PROTOCOL 5.6). */
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

/** Identifies a statblock (PROTOCOL 4.3). */
export const statBlockHash = (block: Omit<StatBlock, 'hash'>): Hash =>
  hmacHex([block.bulletin, block.keyBlockHash, block.publisher, block.signature].map(fieldHash).join(''))
