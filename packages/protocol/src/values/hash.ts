import { written } from '../errors/facts.ts'
import { NodeError } from '../errors/node-error.ts'
import type { Hash } from './branded-values.ts'

export type { Hash }

/** True if a value is a hash: 64 lower-case hex digits. */
export const isHash = (value: unknown): value is Hash =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** True for a hash and for the text name of an origin block. */
export const isBlockName = (value: unknown): value is Hash =>
  isHash(value) || (typeof value === 'string' && /^[A-Z0-9_]{1,32}$/.test(value))

/**
 * Parses a hash in either letter case and returns it in lower case.
 *
 * @throws {NodeError} `HASH_MALFORMED`
 */
export function parseHash(text: string): Hash {
  if (typeof text !== 'string' || !/^[0-9a-fA-F]{64}$/.test(text)) {
    throw new NodeError('HASH_MALFORMED', { text: written(text) })
  }
  return text.toLowerCase() as Hash
}

/**
 * Parses the name of a block: a hash in either letter case, which is returned in lower case, or the text name of an
 * origin block.
 *
 * @throws {NodeError} `HASH_MALFORMED`
 */
export const parseBlockName = (text: string): Hash => (isBlockName(text) ? text : parseHash(text))
