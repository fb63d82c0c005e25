import {
  decodeWith,
  encodeWith,
  parseJson,
  postTransactionEndpoint,
  type Signature,
  stringifyJson,
  type Transaction,
  type TransactionFields,
} from '@hailstone/protocol'

const schema = postTransactionEndpoint.body
const UNSIGNED = '' as Signature

/** The text that `POST /tx` sends, byte for byte. */
export const bodyOf = (transaction: Transaction): string =>
  stringifyJson(schema === undefined ? null : encodeWith(schema, [transaction]))

/** The same text before it is signed: what a person agrees to. */
export const draftOf = (fields: TransactionFields): string => bodyOf({ ...fields, signature: UNSIGNED })

/**
 * Reads a body or draft back. Null for a text that this package would not write in exactly this form, so that
 * whatever is shown or sent again is what the text says.
 *
 * @throws {NodeError} `JSON_MALFORMED`
 */
export function readBody(text: string): Transaction | null {
  if (schema === undefined) return null
  const decoded = decodeWith(schema, parseJson(text))
  const [transaction, ...others] = decoded.ok ? decoded.value : []
  if (transaction === undefined || others.length > 0) return null
  return bodyOf(transaction) === text ? transaction : null
}
