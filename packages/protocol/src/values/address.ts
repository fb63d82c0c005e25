import { written } from '../errors/facts.ts'
import { NodeError } from '../errors/node-error.ts'
import type { Address } from './branded-values.ts'

export type { Address }

const anyCase = /^0[23][0-9a-fA-F]{64}$/
const lowerCase = /^0[23][0-9a-f]{64}$/

/** True if a value is an address: 02 or 03 and 64 hex digits. */
export const isAddress = (value: unknown): value is Address =>
  typeof value === 'string' && lowerCase.test(value)

/** True for what the network accepts as an address, in either letter case. */
export const looksLikeAddress = (text: string): boolean => typeof text === 'string' && anyCase.test(text)

/**
 * Parses an address in either letter case and returns it in lower case.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`
 */
export function parseAddress(text: string): Address {
  if (typeof text !== 'string' || !looksLikeAddress(text))
    throw new NodeError('ADDRESS_MALFORMED', { text: written(text) })
  return text.toLowerCase() as Address
}
