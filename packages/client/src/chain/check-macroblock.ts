import {
  apiError,
  ascending,
  type BlockTransaction,
  type KeyBlockAnswer,
  microblockHashOf,
  type NodeError,
  transactionHash,
} from '@hailstone/protocol'
import type { MicroblockInfo } from '../actions/get-microblock.ts'

export const inconsistent = (height: number, reason: string): NodeError =>
  apiError('CHAIN_INCONSISTENT', { height, reason })

export const short = (hash: string): string => `${hash.slice(0, 8)}…`

/**
 * Recomputes a microblock from its transactions: their hashes from their fields, its own from theirs
 * (PROTOCOL 2.2, 4.2). Returns it with the transactions in the order of their hashes.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`
 */
export function checkedMicroblock(
  listed: { readonly hash: string; readonly transactionCount: number },
  microblock: MicroblockInfo,
  keyBlock: KeyBlockAnswer,
): MicroblockInfo {
  const { height } = keyBlock
  const name = `microblock ${short(listed.hash)}`
  const { header, transactions } = microblock
  if (header.keyBlockHash !== keyBlock.hash) throw inconsistent(height, `${name} extends another key block`)
  if (transactions.length !== listed.transactionCount) {
    throw inconsistent(
      height,
      `${name} has ${transactions.length} transactions, listed are ${listed.transactionCount}`,
    )
  }
  const transactionHashes = transactions.map((transaction) => checkedHash(transaction, height))
  const { publisher, nonce } = header
  const hash = microblockHashOf({ keyBlockHash: keyBlock.hash, nonce, publisher, transactionHashes })
  if (hash !== listed.hash) throw inconsistent(height, `${name} does not have the hash of its content`)
  return { header, transactions: [...transactions].sort((a, b) => ascending(a.hash, b.hash)) }
}

function checkedHash(transaction: BlockTransaction, height: number): string {
  const hash = transactionHash(transaction)
  if (hash === transaction.hash) return hash
  throw inconsistent(height, `transaction ${short(transaction.hash)} does not have the hash of its fields`)
}

/**
 * Puts a list into the order of its hashes, which is that of the ledger. A hash that is listed twice is a fault;
 * another order is reported by {@link isInOrder}, since a public node lists as its storage does (PROTOCOL 3.3).
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`
 */
export function inOrder<T extends { readonly hash: string }>(
  listed: readonly T[],
  { height }: KeyBlockAnswer,
): readonly T[] {
  const ordered = [...listed].sort((a, b) => ascending(a.hash, b.hash))
  const twice = ordered.find(({ hash }, at) => hash === ordered[at + 1]?.hash)
  if (twice !== undefined) throw inconsistent(height, `block ${short(twice.hash)} is listed twice`)
  return ordered
}

/** True if the list is ascending by hash, as the description of the API promises. */
export const isInOrder = (listed: readonly { readonly hash: string }[]): boolean =>
  listed.every(({ hash }, at) => at === 0 || ascending(listed[at - 1]?.hash ?? '', hash) < 0)

/** The members of a key block that its neighbours are checked against. */
export type ChainLink = Pick<KeyBlockAnswer, 'hash' | 'link'>

/**
 * Asserts that a key block is the neighbour of the one walked before it.
 *
 * @throws {NodeError} `CHAIN_INCONSISTENT`
 */
export function assertLinked(
  before: ChainLink | undefined,
  keyBlock: KeyBlockAnswer,
  direction: 'up' | 'down',
): void {
  if (before === undefined) return
  const isLinked = direction === 'up' ? keyBlock.link === before.hash : before.link === keyBlock.hash
  if (!isLinked) throw inconsistent(keyBlock.height, 'the key blocks are not linked')
}
