import {
  type Address,
  addressOf,
  formatBeacon,
  type Hash,
  type MicroblockContent,
  microblockHash,
  parsePrivateKey,
  sha256Hex,
  signingHash,
  signText,
  type Transaction,
  type TransactionFields,
  toAmount,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'

const payer = parsePrivateKey(sha256Hex('payer'))

export function signedPayment(nonce: number): Transaction {
  const fields: TransactionFields = {
    amount: toAmount(10_000_000_000n),
    data: '',
    from: addressOf(payer),
    nonce,
    tokenId: ZERO_TOKEN_ID,
    to: addressOf(parsePrivateKey(sha256Hex('payee'))),
  }
  return { ...fields, signature: signText(signingHash(fields), payer) }
}

export type MadeBeacon = { readonly text: string; readonly hash: Hash; readonly content: MicroblockContent }

/** A beacon as a gateway writes it, honest unless told otherwise. */
export function makeBeacon(parameters: {
  readonly publisher: Address
  readonly nonce: number
  readonly transactions?: readonly Transaction[]
  readonly statedHash?: Hash
  readonly keyBlockHash?: Hash
}): MadeBeacon {
  const { publisher, nonce, transactions = [signedPayment(nonce)] } = parameters
  const { keyBlockHash = sha256Hex('key block') } = parameters
  const content: MicroblockContent = {
    keyBlockHash,
    publisher,
    nonce: 1,
    transactions,
  }
  const hash = parameters.statedHash ?? microblockHash(content)
  return { content, hash, text: formatBeacon({ leaderId: '1', microblockHash: hash, content }) }
}
