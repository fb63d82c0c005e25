import { accountId, amount, count, hash, list, text } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'

const indexEntry = record({
  account: ['id', accountId],
  hash,
  time: count,
  recordType: ['rectype', text],
  amount: ['value', amount],
})

/** `GET /eindex_by_hash`: effects of one block or transaction on every account. */
export const recordsOfHashEndpoint = defineEndpoint({
  path: '/eindex_by_hash',
  parameters: { hash: maybe('hash', 'hash') },
  answer: list(indexEntry),
})

/** Effect of a block or transaction on one account, an entry of `GET /eindex_by_hash`. */
export type IndexEntry = Value<typeof indexEntry>
