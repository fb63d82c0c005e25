import { randomBytes } from 'node:crypto'
import {
  type Address,
  type Amount,
  addressOf,
  parsePrivateKey,
  signingHash,
  signText,
  type TokenId,
  transactionHash,
} from '@hailstone/protocol'

export type Sender = { readonly address: string; readonly privateKey: string }

/** A key that nobody has seen before. */
export function freshSender(): Sender {
  const privateKey = parsePrivateKey(`00${randomBytes(31).toString('hex')}`)
  return { privateKey, address: addressOf(privateKey) }
}

const AMOUNT = 2n * 10n ** 9n

/** The body of a POST /tx with a payment that is correctly signed, as long as nobody replaces its signature. */
export function signedBody(parameters: {
  readonly from: Sender
  readonly to: string
  readonly tokenId: string
  /** Takes the place of the right one. */
  readonly signature?: string | undefined
}): { readonly body: string; readonly hash: string } {
  const { from, to } = parameters
  const fields = {
    amount: AMOUNT as Amount,
    data: '',
    from: from.address as Address,
    nonce: Number(randomBytes(6).readUIntBE(0, 6)),
    tokenId: parameters.tokenId as TokenId,
    to: to as Address,
  }
  const signature = parameters.signature ?? signText(signingHash(fields), parsePrivateKey(from.privateKey))
  const { tokenId: ticker, amount, ...rest } = fields
  return {
    body: JSON.stringify([{ ...rest, amount: String(amount), sign: signature, ticker }]),
    hash: transactionHash({ ...fields, signature: signature as never }),
  }
}
