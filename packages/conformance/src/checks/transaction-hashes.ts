import {
  addressOf,
  fieldHash,
  type JsonValue,
  lenientHexToBytes,
  parsePrivateKey,
  sha256Hex,
  signingHashOfTexts,
  signText,
  transactionHashOfTexts,
  verifyText,
} from '@hailstone/protocol'
import { asObject, asText, type Case, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

/** Returns the text forms of a transaction in a file; numbers count as their shortest decimal text. */
export const textsOf = (transaction: Case) => ({
  amount: numberText(transaction.amount),
  data: asText(transaction.data),
  from: asText(transaction.from),
  nonce: numberText(transaction.nonce),
  tokenId: asText(transaction.ticker),
  to: asText(transaction.to),
})

const numberText = (value: JsonValue | undefined): string =>
  typeof value === 'bigint' && value <= 9007199254740991n ? value.toString() : asText(value)

function fieldDifferences(given: Case) {
  const expected = asObject(given.field_sha256)
  const transaction = asObject(given.tx)
  return Object.keys(expected).map((name) =>
    difference(`field_sha256.${name}`, expected[name], fieldHash(numberText(transaction[name]))),
  )
}

function compare(given: Case) {
  const texts = textsOf(asObject(given.tx))
  const signingHash = signingHashOfTexts(texts)
  const signature = asText(given.sign ?? given.sign_rfc6979_low_s)
  return [
    ...fieldDifferences(given),
    difference('signing_hash', given.signing_hash, signingHash),
    given.ecdsa_digest === undefined
      ? null
      : difference('ecdsa_digest', given.ecdsa_digest, sha256Hex(signingHash)),
    difference('tx_hash', given.tx_hash, transactionHashOfTexts({ ...texts, signature })),
    ...signed(given, signingHash),
  ]
}

function signed(given: Case, text: string) {
  if (given.private_key === undefined) return []
  const key = parsePrivateKey(asText(given.private_key))
  const signature = signText(text, key)
  return [
    difference('sign_rfc6979_low_s', given.sign_rfc6979_low_s, signature),
    difference('own verification', true, verifyText({ text, signature, address: addressOf(key) })),
    difference('hex round trip', lenientHexToBytes(signature).length * 2, signature.length),
  ]
}

/** Hashes and signatures of transactions (PROTOCOL 2.2, 2.3). */
export const check: Check = {
  kind: 'transaction hashes',
  recognises: (file) => everyCaseHas(file, 'tx', 'signing_hash', 'tx_hash'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}
