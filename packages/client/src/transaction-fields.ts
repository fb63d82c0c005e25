import {
  type Address,
  assertArgument,
  isAddress,
  looksLikeContract,
  looksLikeNewerContract,
  NodeError,
  parseAddress,
  parseTokenId,
  readContract,
  type TransactionFields,
  toAmount,
  written,
} from '@hailstone/protocol'

/** Characters and length allowed in `data` (PROTOCOL 2.5). */
const allowedData = /^[0-9a-zA-Z _\-/.]{0,512}$/
/** Characters and length that newer nodes accept in `data` (PROTOCOL 2.4). */
const newerData = /^[0-9a-zA-Z _\-/.+=]{0,512}$/

/** Names of what a payment is made of, wherever one is. */
export const ofDraft = ['from', 'to', 'amount', 'tokenId', 'memo', 'contract', 'nonce', 'signal']

/**
 * What was prepared may be sent as it is, by the wallet that it was prepared for.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function assertSender(given: object, wallet: object | undefined): void {
  const from: unknown = Reflect.get(given, 'from')
  const isSender = from === undefined || from === Object(wallet).address
  assertArgument(isSender, 'from', 'the address of the wallet, or nothing', from)
}

/** The parts of a payment that a person chooses. */
export type TransactionDraft = {
  readonly from: string
  readonly to: string
  /** Gross units: the fee is inside. */
  readonly amount: bigint
  readonly tokenId: string
  /** Free text for people. @default '' */
  readonly memo?: string | undefined
  /** An encoded contract, instead of a memo. */
  readonly contract?: string | undefined
  readonly nonce: number
  /** The nodes of the network take `+` and `=` in a memo. @default false */
  readonly takesNewerData?: boolean | undefined
}

/**
 * Turns a draft into the fields that are signed; everything the network would refuse for its form is refused
 * here, before a signature exists.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`, `AMOUNT_OUT_OF_RANGE`, `NONCE_OUT_OF_RANGE`,
 *   `MEMO_MALFORMED`, `TRANSACTION_MALFORMED`
 */
export function transactionFields(draft: TransactionDraft): TransactionFields {
  const { from, to, amount, tokenId, memo = '', contract, nonce } = draft
  if (contract !== undefined && memo !== '') throw malformed('it has a memo and a contract; only one fits')
  if (contract === undefined) assertMemo(memo, draft.takesNewerData)
  else assertContract(contract)
  const fields: TransactionFields = {
    amount: toAmount(amount),
    data: contract ?? memo,
    from: parseAddress(from),
    nonce,
    tokenId: parseTokenId(tokenId),
    to: parseAddress(to),
  }
  assertTransactionFields(fields)
  return fields
}

/**
 * Asserts that the fields are well formed for any network.
 *
 * @throws {NodeError} as {@link transactionFields}
 */
export function assertTransactionFields(fields: TransactionFields): void {
  const { amount, data, from, nonce, tokenId, to } = fields
  assertAddress(from)
  assertAddress(to)
  parseTokenId(tokenId)
  if (toAmount(amount) === 0n) throw malformed('its amount is zero')
  if (!Number.isSafeInteger(nonce) || nonce < 0) {
    throw new NodeError('NONCE_OUT_OF_RANGE', { text: written(nonce) })
  }
  if (typeof data !== 'string' || !newerData.test(data))
    throw memoMalformed('it has other characters or is too long')
}

/**
 * In lower case alone: what is signed is not changed on the way.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`
 */
export function assertAddress(address: Address): void {
  if (!isAddress(address)) throw new NodeError('ADDRESS_MALFORMED', { text: written(address) })
}

const malformed = (reason: string): NodeError => new NodeError('TRANSACTION_MALFORMED', { reason })
const memoMalformed = (reason: string): NodeError => new NodeError('MEMO_MALFORMED', { reason })

/**
 * Asserts that the network takes a memo and reads it as one.
 *
 * @throws {NodeError} `MEMO_MALFORMED`
 */
export function assertMemo(memo: string, takesNewerData = false): void {
  if (typeof memo !== 'string' || !(takesNewerData ? newerData : allowedData).test(memo)) {
    const more = takesNewerData ? ' + and =' : ''
    throw memoMalformed(`allowed are up to 512 of 0-9 a-z A-Z blank _ - / and full stop${more}`)
  }
  // By accident a memo can carry its own length in front; the network would then run or refuse it.
  if (looksLikeContract(memo) || looksLikeNewerContract(memo))
    throw memoMalformed('the network would take it for a contract')
}

function assertContract(contract: string): void {
  const reading = readContract(written(contract))
  if (reading.kind === 'memo') throw malformed('its contract is not one')
  if (reading.kind === 'undecodable') throw malformed(`its contract cannot be read: ${reading.reason}`)
  if (reading.kind === 'refused') throw malformed(`the network would refuse its contract: ${reading.message}`)
}
