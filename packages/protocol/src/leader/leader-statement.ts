import { sha256Hex } from '../hashing.ts'
import type { Hash } from '../values/hash.ts'

type Leader = {
  /** Decimal text; beacons also carry it as a number (PROTOCOL 9.1). */
  readonly leaderId: string | number | bigint
  /** For the signature in a key block: its `link`, not its own hash. */
  readonly keyBlockHash: string
}

/** A statement that a leader signs: the root of a macroblock or, before fork 002, a beacon (PROTOCOL 8.4). */
export type LeaderStatement =
  | (Leader & { readonly merkleRoot: string })
  | (Leader & { readonly microblockHash: string; readonly nonce: number | bigint })

/** The two hashes that are mapped to points: of the signer and of the message. */
export type StatementHashes = { readonly identityHash: Hash; readonly messageHash: Hash }

const isHexHash = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-fA-F]{64}$/.test(text)

/** Returns the text as it is hashed, up to 20 digits; null for anything else. */
function decimalText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null
  const text = value.toString()
  return /^\d{1,20}$/.test(text) ? text : null
}

/**
 * True for a hash, or the name of the origin block. The parts are joined without separator, so a text that ends in a
 * digit is refused: it could borrow digits from the leader's id.
 */
const isKeyBlockName = (text: unknown): text is string =>
  isHexHash(text) || (typeof text === 'string' && /^[A-Z0-9_]{0,31}[A-Z_]$/.test(text))

/** Returns the hashes of PROTOCOL 8.4; null if a part is malformed. */
export function statementHashes(statement: LeaderStatement): StatementHashes | null {
  const { keyBlockHash } = statement
  const leaderId = decimalText(statement.leaderId)
  if (!isKeyBlockName(keyBlockHash) || leaderId === null) return null
  if ('merkleRoot' in statement) {
    const { merkleRoot } = statement
    if (!isHexHash(merkleRoot)) return null
    return {
      identityHash: sha256Hex(keyBlockHash + leaderId),
      messageHash: sha256Hex(merkleRoot + leaderId),
    }
  }
  const { microblockHash } = statement
  const nonce = decimalText(statement.nonce)
  if (!isHexHash(microblockHash) || nonce === null) return null
  return {
    identityHash: sha256Hex(keyBlockHash + leaderId + nonce),
    messageHash: sha256Hex(microblockHash + leaderId),
  }
}
