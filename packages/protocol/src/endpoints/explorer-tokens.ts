import {
  accountId,
  amount,
  count,
  decimal,
  decimals,
  feeType,
  flag,
  list,
  orNull,
  tokenId,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'
import { priceFields } from './tokens.ts'

const ownTokenFields = {
  id: ['token_hash', tokenId],
  totalSupply: ['total_supply', amount],
  feeType: ['fee_type', feeType],
  feeValue: ['fee_value', amount],
  feeMinimum: ['fee_min', orNull(amount)],
} as const
const kindFields = { isReissuable: ['reissuable', flag], isMineable: ['minable', flag] } as const

const ownToken = record({ ...ownTokenFields, ...kindFields })

/** `GET /get_tokens_by_owner`: the tokens of one owner, by token id descending. */
export const tokensOfOwnerEndpoint = defineEndpoint({
  path: '/get_tokens_by_owner',
  parameters: { owner: maybe('address', 'owner') },
  answer: list(ownToken),
})

const listedToken = record({
  ...ownTokenFields,
  decimals,
  isMineable: kindFields.isMineable,
  isReissuable: kindFields.isReissuable,
  holderCount: ['token_holders_count', count],
  transferCount: ['txs_count', count],
  hasSlot: ['in_slot', flag],
  ...priceFields,
})

/** `GET /get_token_info_page`: twenty tokens of a kind (`minable`, `reissuable`, `non_reissuable`, else all). */
export const tokenPageEndpoint = defineEndpoint({
  path: '/get_token_info_page',
  parameters: { page: maybe('page', 'page'), kind: maybe('text', 'type') },
  answer: record({
    tokens: list(listedToken),
    pageSize: ['page_size', count],
    pageCount: ['page_count', count],
  }),
})

/** `GET /get_tokens_count`: number of tokens of each kind. */
export const tokenCountEndpoint = defineEndpoint({
  path: '/get_tokens_count',
  answer: record({
    count,
    fixed: ['non_reissuable', count],
    reissuable: count,
    mineable: ['minable', count],
  }),
})

/** `GET /get_token_holder_count`: accounts that ever held a token, or any token. */
export const holderCountEndpoint = defineEndpoint({
  path: '/get_token_holder_count',
  parameters: { tokenId: maybe('tokenId', 'token_hash') },
  answer: record({ count }),
})

const richAccount = record({
  account: ['id', accountId],
  amount,
  tokenId: ['token', tokenId],
  percentage: decimal,
})

/** `GET /top_accounts`: twenty accounts by amount descending. A native amount includes delegated coins. */
export const richestAccountsEndpoint = defineEndpoint({
  path: '/top_accounts',
  parameters: { page: maybe('page', 'page'), tokenId: maybe('tokenId', 'token_hash') },
  answer: record({ accounts: list(richAccount), pageCount: ['page_count', count] }),
})

/** A token in the list of its owner. Amounts are in units of the token. */
export type OwnToken = Value<typeof ownToken>
/** A token with its numbers of holders and transfers, an entry of `GET /get_token_info_page`. */
export type ListedToken = Value<typeof listedToken>
/** A holder of a token with its balance in units. */
export type RichAccount = Value<typeof richAccount>
