import {
  accountId,
  address,
  amount,
  anything,
  count,
  either,
  flag,
  hash,
  list,
  only,
  optional,
  orNull,
  signature,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Schema, type Value } from '../schema/record.ts'
import { statBlock } from './blocks.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'
import { keyBlockFields } from './macroblocks.ts'
import { stakePool } from './stake-pools.ts'
import { tokenAnswer } from './tokens.ts'
import { transactionFields } from './transactions.ts'

const accountBalance = record({ account: ['id', accountId], amount, tokenId: ['token', tokenId] })

const foundMicroblock = record({
  hash,
  keyBlockHash: ['kblocks_hash', hash],
  publisher: address,
  nonce: count,
  signature: ['sign', signature],
  reward: orNull(amount),
  tokenId: ['token', tokenId],
  referralAgent: ['referrer', orNull(address)],
  leaderSignature: keyBlockFields.leaderSignature,
  /** True if a key block commits to it. */
  isIncluded: ['included', optional(flag)],
  isCalculated: ['calculated', optional(flag)],
  isIndexed: ['indexed', optional(flag)],
})

/** Unlike other answers, this one has the signature itself: two points, or of newer nodes a text. */
const foundKeyBlock = record({ ...keyBlockFields, leaderSignature: ['leader_sign', optional(anything)] })

const transaction = record({ kind: ['type', only('tx')], found: ['info', list(record(transactionFields))] })
const account = record({
  kind: ['type', only('account')],
  found: ['info', record({ balances: list(accountBalance) })],
})
const block = record({ kind: ['type', only('kblock')], found: ['info', list(foundKeyBlock)] })
const microblock = record({ kind: ['type', only('mblock')], found: ['info', list(foundMicroblock)] })
const vote = record({ kind: ['type', only('sblock')], found: ['info', statBlock] })
const token = record({ kind: ['type', only('token')], found: ['info', list(tokenAnswer)] })
const pool = record({ kind: ['type', only('pos')], found: ['info', list(stakePool)] })

/** A result of a search, discriminated by `kind`. */
export type SearchResult =
  | Value<typeof transaction>
  | Value<typeof account>
  | Value<typeof block>
  | Value<typeof microblock>
  | Value<typeof vote>
  | Value<typeof token>
  | Value<typeof pool>

const result: Schema<SearchResult> = either<SearchResult>(
  ...([transaction, account, block, microblock, vote, token, pool] as unknown as [
    Schema<SearchResult>,
    Schema<SearchResult>,
  ]),
)

/**
 * `GET /search`: everything that a text names. A transaction hides blocks and accounts of the same name. Kinds of the
 * public exchange (`pool`, `farm`) are not described here.
 */
export const searchEndpoint = defineEndpoint({
  path: '/search',
  parameters: { text: maybe('text', 'value') },
  answer: list(result),
})

/** Balance of an account found by `GET /search`, in units of the token. */
export type AccountBalance = Value<typeof accountBalance>
/** A microblock found by `GET /search`. `reward` is in units of the mined token, null before it is calculated. */
export type FoundMicroblock = Value<typeof foundMicroblock>
