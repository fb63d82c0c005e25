import { NodeError } from './errors/node-error.ts'
import { type Address, isAddress, parseAddress } from './values/address.ts'

/** A code is an address XOR this constant (PROTOCOL 1.3). Its first byte 75 makes codes begin with 77 or 76. */
const MASK = 0x750d7f2b34ca3df1d6b7878debc8cf9a56bcb51a58435b5bcfb7e82ee09fa8be75n
const PREFIX = 'ref_'
const ADDRESS_DIGITS = 66

/** Faults of a referral code, in the order of the checks. */
export type ReferralCodeFault = 'prefix' | 'length' | 'format' | 'address'

const reasons: { readonly [F in ReferralCodeFault]: string } = {
  prefix: 'it should begin with ref_ in lower case',
  length: 'it should have 66 hex digits after ref_',
  format: 'only hex digits may follow ref_',
  address: 'it does not stand for an account',
}

const masked = (digits: string): string =>
  (BigInt(`0x${digits}`) ^ MASK).toString(16).padStart(ADDRESS_DIGITS, '0')

/** Returns the fault of a code; null if the network accepts it. Does not check that x is on the curve. */
export function referralCodeFault(code: string): ReferralCodeFault | null {
  if (typeof code !== 'string' || !code.startsWith(PREFIX)) return 'prefix'
  const digits = code.slice(PREFIX.length)
  if (digits.length !== ADDRESS_DIGITS) return 'length'
  if (!/^[0-9a-fA-F]*$/.test(digits)) return 'format'
  return isAddress(masked(digits)) ? null : 'address'
}

/** True for a code that `decodeReferralCode` reads. */
export const isReferralCode = (value: unknown): value is `ref_${string}` =>
  referralCodeFault(value as string) === null

/**
 * Encodes an account as a referral code: `ref_` and 66 lower-case hex digits.
 *
 * @param address in either letter case
 * @throws {NodeError} `ADDRESS_MALFORMED`
 */
export const encodeReferralCode = (address: string): string => PREFIX + masked(parseAddress(address))

/**
 * Decodes a referral code. Messages of the network contain the address, never the code.
 *
 * @throws {NodeError} `REFERRAL_CODE_INVALID`
 */
export function decodeReferralCode(code: string): Address {
  const fault = referralCodeFault(code)
  if (fault !== null) throw new NodeError('REFERRAL_CODE_INVALID', { reason: reasons[fault] })
  return parseAddress(masked(code.slice(PREFIX.length)))
}
