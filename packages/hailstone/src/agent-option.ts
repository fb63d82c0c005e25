import { type Address, decodeReferralCode, parseAddress } from '@hailstone/protocol'

/** Reads `--agent`, a code or an address. @throws {NodeError} `REFERRAL_CODE_INVALID`, `ADDRESS_MALFORMED` */
export const agentOf = (text: string | undefined): Address | undefined => {
  if (text === undefined) return undefined
  return /^0[23]/.test(text) ? parseAddress(text) : decodeReferralCode(text)
}
