import { postTransactionEndpoint } from './endpoints/transactions.ts'
import { parseJson, stringifyJson } from './json.ts'
import { encodeWith } from './schema/encode-with.ts'
import { decodeWith } from './schema/record.ts'
import type { Transaction, TransactionFields } from './transaction.ts'
import type { Signature } from './values/signature.ts'

const schema = postTransactionEndpoint.body
const UNSIGNED = '' as Signature

/** Returns the text that `POST /tx` sends for a transaction, byte for byte. */
export const transactionBody = (transaction: Transaction): string =>
  stringifyJson(schema === undefined ? null : encodeWith(schema, [transaction]))

/** Returns the same text before it is signed, with an empty signature: what a person agrees to. */
export const transactionDraft = (fields: TransactionFields): string =>
  transactionBody({ ...fields, signature: UNSIGNED })

/**
 * Reads a body or draft back. Returns null for a text that this package would not write in exactly this form, so that
 * whatever is shown or sent again is what the text says.
 *
 * @throws {NodeError} `JSON_MALFORMED`
 */
export function readTransactionBody(text: string): Transaction | null {
  if (schema === undefined) return null
  const decoded = decodeWith(schema, parseJson(text))
  const [transaction, ...others] = decoded.ok ? decoded.value : []
  if (transaction === undefined || others.length > 0) return null
  return transactionBody(transaction) === text ? transaction : null
}
