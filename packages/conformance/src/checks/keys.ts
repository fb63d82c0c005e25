import {
  addressOf,
  encodeReferralCode,
  isNodeError,
  parsePrivateKey,
  uncompressedPublicKeyOf,
} from '@hailstone/protocol'
import { asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

function accepted(given: Case) {
  const key = parsePrivateKey(asText(given.input_private_key))
  const address = addressOf(key)
  return [
    difference('private_key', given.private_key, key),
    difference('public_key', given.public_key, address),
    difference('address', given.address, address),
    difference('public_key_uncompressed', given.public_key_uncompressed, uncompressedPublicKeyOf(key)),
    difference('referral_code', given.referral_code, encodeReferralCode(address)),
  ]
}

function refused(given: Case) {
  try {
    parsePrivateKey(asText(given.input_private_key))
    return ['the key was accepted']
  } catch (error) {
    return [isNodeError(error, 'PRIVATE_KEY_MALFORMED') ? null : String(error)]
  }
}

/** Private keys, addresses and referral codes (PROTOCOL 1.1–1.3). */
export const check: Check = {
  kind: 'private keys',
  recognises: (file) => everyCaseHas(file, 'input_private_key', 'accepted'),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => (given.accepted === true ? accepted(given) : refused(given))),
    ),
}
