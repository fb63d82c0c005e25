import {
  addressOf,
  assertArgument,
  derivedNonce,
  type Ecdsa,
  encodeReferralCode,
  NodeError,
  type PrivateKey,
  signingHash,
  signText,
  type Transaction,
  type TransactionFields,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import { assertTransactionFields } from '../transaction-fields.ts'
import { miningSignatures } from './mining-signatures.ts'
import type { DeriveNonceParameters, Wallet } from './wallet.ts'

type SigningEcdsa = Pick<Ecdsa, 'addressOf' | 'signText'>

/** A signed one may be given: the same fields give the same signature. */
const ofTransaction = ['amount', 'data', 'from', 'nonce', 'tokenId', 'to', 'signature']

/** Puts a checked key behind a wallet's functions. The key is not reachable from the object. */
export function walletOfKey(privateKey: PrivateKey, ecdsa: SigningEcdsa = { addressOf, signText }): Wallet {
  assertArgument(typeof ecdsa?.signText === 'function', 'ecdsa', 'curve arithmetic', ecdsa)
  const address = ecdsa.addressOf(privateKey)
  const sign = (text: string) => ecdsa.signText(text, privateKey)

  const signTransaction = (given: TransactionFields): Transaction => {
    assertNames('of signTransaction', given, ofTransaction)
    // Read once: what is checked is what is signed, whatever kind of object was given.
    const { amount, data, from, nonce, tokenId, to } = Object(given) as TransactionFields
    const fields = { amount, data, from, nonce, tokenId, to }
    if (from !== address) {
      throw new NodeError('TRANSACTION_MALFORMED', { reason: 'its sender is not the account of this wallet' })
    }
    assertTransactionFields(fields)
    return { ...fields, signature: sign(signingHash(fields)) }
  }

  const deriveNonce = (parameters: DeriveNonceParameters): number => {
    assertNames('of deriveNonce', parameters, ['chain', 'idempotencyKey', 'attempt'])
    const { chain, idempotencyKey, attempt = 0 } = Object(parameters) as DeriveNonceParameters
    const isName = (text: unknown): boolean => typeof text === 'string' && text !== ''
    assertArgument(isName(chain), 'chain', 'the identity of a chain', chain)
    assertArgument(isName(idempotencyKey), 'idempotencyKey', 'a text that is not empty', idempotencyKey)
    assertArgument(Number.isSafeInteger(attempt) && attempt >= 0, 'attempt', 'an integer from 0', attempt)
    return derivedNonce(privateKey, [chain, idempotencyKey, String(attempt)])
  }

  const exportPrivateKey = (): string => privateKey
  const referralCode = encodeReferralCode(address)
  return Object.freeze({
    address,
    referralCode,
    signTransaction,
    deriveNonce,
    ...miningSignatures(address, sign),
    exportPrivateKey,
  })
}
