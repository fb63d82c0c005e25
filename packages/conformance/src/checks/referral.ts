import { decodeReferralCode, encodeReferralCode, referralCodeFault } from '@hailstone/protocol'
import { asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

const encoded = (given: Case): readonly (string | null)[] => [
  difference('code', given.code, encodeReferralCode(asText(given.address))),
]

function decoded(given: Case): readonly (string | null)[] {
  const code = asText(given.code)
  const fault = referralCodeFault(code)
  if (given.valid === false) {
    return [fault === null ? 'the code was accepted' : difference('reason', given.reason ?? fault, fault)]
  }
  return [difference('fault', null, fault), difference('address', given.address, decodeReferralCode(code))]
}

function compare(given: Case): readonly (string | null)[] {
  if (given.op === 'encode') return encoded(given)
  return given.op === 'decode' ? decoded(given) : [`the operation ${asText(given.op)} is not known`]
}

export const check: Check = {
  kind: 'referral codes',
  recognises: (file) =>
    everyCaseHas(file, 'op', 'code') && casesOf(file).every(({ op }) => op === 'encode' || op === 'decode'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
