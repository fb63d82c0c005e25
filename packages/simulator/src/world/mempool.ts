import {
  CURVE_ORDER,
  compactToDer,
  decodeWith,
  derToCompact,
  type Hash,
  isTransactionSigned,
  lenientHexToBytes,
  parseJson,
  postTransactionEndpoint,
  type Signature,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import type { Run } from '../run/run.ts'
import { verify } from './accounts.ts'
import type { ApiAnswer } from './answer.ts'

/** Fault of a node that receives a transaction. */
export type PostFault =
  | 'none'
  | 'forgets it'
  | 'refuses it'
  | 'refuses it and keeps it'
  | 'names another hash'
  /** The signature is changed to its other valid form on the way. */
  | 'malleates the signature'
  | 'appends to the signature'

const say = (text: string): ApiAnswer => ({ status: 200, text })
export const refusal = (message: string): ApiAnswer => say(JSON.stringify({ err: 1, message }))
const accepted = (hash: string): ApiAnswer => say(JSON.stringify({ err: 0, result: [{ hash, status: 0 }] }))

/** Parses a posted body; null unless it is exactly one transaction signed by its sender. */
export function postedTransaction(body: string): Transaction | null {
  const { body: schema } = postTransactionEndpoint
  if (schema === undefined) return null
  const decoded = decodeWith(schema, parseJson(body))
  const [transaction, ...others] = decoded.ok ? decoded.value : []
  if (transaction === undefined || others.length > 0) return null
  return isTransactionSigned(transaction, verify) ? transaction : null
}

/** Adds a body to a pool. Like the network, it refuses equal hashes only. */
export function takePosted(
  run: Run,
  pool: Map<Hash, Transaction>,
  body: string,
  fault: PostFault = 'none',
): ApiAnswer {
  const transaction = postedTransaction(body)
  if (transaction === null) return refusal('Signature verification failed')
  const hash = transactionHash(transaction)
  const add = (one: Transaction): void => void pool.set(transactionHash(one), one)
  if (fault === 'none') run.note('pool', `takes ${hash.slice(0, 8)}`)
  else run.fault('pool', `${fault} ${hash.slice(0, 8)}`)
  switch (fault) {
    case 'forgets it':
      return accepted(hash)
    case 'refuses it':
      return refusal('Signature verification failed')
    case 'refuses it and keeps it':
      add(transaction)
      return refusal('Signature verification failed')
    case 'malleates the signature':
      add({ ...transaction, signature: flipped(transaction.signature) })
      return { status: 502, text: '' }
    case 'appends to the signature':
      add({ ...transaction, signature: `${transaction.signature}7` as Signature })
      return { status: 502, text: '' }
  }
  if (pool.has(hash)) return refusal('TX is already in txpool')
  add(transaction)
  return accepted(fault === 'names another hash' ? ('ab'.repeat(32) as Hash) : hash)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Returns the other valid signature of the same message and key (PROTOCOL 2.3). */
function flipped(signature: Signature): Signature {
  const compact = derToCompact(lenientHexToBytes(signature))
  const s = BigInt(`0x${hex(compact.subarray(32))}`)
  const other = (BigInt(CURVE_ORDER) - s).toString(16).padStart(64, '0')
  const bytes = Buffer.from(hex(compact.subarray(0, 32)) + other, 'hex')
  return hex(compactToDer(bytes)) as Signature
}
