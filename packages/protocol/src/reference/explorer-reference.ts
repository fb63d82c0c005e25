import { confirmedTransactionsEndpoint, keyBlockPageEndpoint } from '../endpoints/explorer-blocks.ts'
import {
  holderCountEndpoint,
  richestAccountsEndpoint,
  tokenCountEndpoint,
  tokenPageEndpoint,
  tokensOfOwnerEndpoint,
} from '../endpoints/explorer-tokens.ts'
import { searchEndpoint } from '../endpoints/search.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import {
  blockTransactionMeanings,
  feeMeanings,
  keyBlockMeanings,
  type Meanings,
  NATIVE_UNITS,
  TOKEN_UNITS,
  tokenMeanings,
  transactionMeanings,
  UNITS,
  under,
} from './meanings.ts'
import { stakePoolMeanings } from './stake-reference.ts'

const PAGE = 'Page from 0; 0 when absent. A page beyond the end is empty.'

const pick = (meanings: Meanings, ...names: readonly string[]): Meanings =>
  Object.fromEntries(names.map((name) => [name, meanings[name] ?? '']))

const ownTokenMeanings: Meanings = {
  token_hash: tokenMeanings.hash ?? '',
  ...pick(tokenMeanings, 'total_supply', 'reissuable', 'minable'),
  ...feeMeanings,
}

const listedTokenMeanings: Meanings = {
  ...ownTokenMeanings,
  ...pick(tokenMeanings, 'decimals', 'txs_count', 'cg_price_usd', 'dex_price_usd', 'price_raw'),
  ...pick(tokenMeanings, 'price_raw.cg_price', 'price_raw.dex_price', 'price_raw.decimals'),
  token_holders_count: 'Accounts with a balance row of the token, zero amounts included.',
  in_slot: '1 when the token is mined and its owner has a place for microblocks, else 0.',
}

/** Meanings of one alternative of `/search`; the path contains the name of its type. */
const found = (type: string, info: string, meanings: Meanings): Meanings => ({
  [`[](${type}).type`]: `\`${type}\`: what kind of thing was found.`,
  [`[](${type}).info`]: info,
  ...under(`[](${type}).`, meanings),
})

const { 'leader_sign.type': type = '', 'leader_sign.data': bytes = '', ...keyBlockOnly } = keyBlockMeanings
const leaderColumn: Meanings = { 'leader_sign.type': type, 'leader_sign.data': bytes }
const foundKeyBlock: Meanings = {
  ...keyBlockOnly,
  leader_sign: "Leader's signature of `m_root` itself: the two points, or of newer nodes a text; or null.",
}

const searchMeanings: Meanings = {
  ...found('tx', 'The transaction, one entry for each copy.', under('info[].', transactionMeanings)),
  ...found('account', 'What the account holds.', {
    'info.balances': 'One entry for each token it has a row of.',
    'info.balances[].id': 'The account.',
    'info.balances[].amount': `Balance. ${TOKEN_UNITS}`,
    'info.balances[].token': 'Identifier of the token.',
  }),
  ...found('kblock', 'The key block, a list of one.', under('info[].', foundKeyBlock)),
  ...found(
    'mblock',
    'The microblock, a list of one.',
    under('info[].', {
      hash: 'Hash of the microblock.',
      kblocks_hash: 'Hash of the key block it extends.',
      publisher: 'Address of the miner.',
      nonce: 'Number the leader chose, usually 1.',
      sign: 'Signature of the miner: ECDSA in DER, hex.',
      reward: `Reward of the publisher in units of the mined token. ${UNITS}`,
      token: 'Identifier of the token it was mined in.',
      referrer: "Address of the miner's referral agent, or null.",
      ...leaderColumn,
      leader_sign: "Leader's signature as bytes, or null.",
      included: '1 when a key block commits to it, else 0.',
      calculated: '1 when its transactions are calculated, else 0.',
      indexed: '1 when an indexer of the node took it, else 0.',
    }),
  ),
  ...found('sblock', 'The statblock as `/sblock` answers it.', {
    'info.header': 'Always there.',
    'info.header.kblocks_hash': 'Hash of the key block it extends.',
    'info.header.publisher': 'Identifier of the pool, 64 hex digits.',
    'info.header.sblocks_hash': 'Hash of the statblock.',
    'info.header.reward': `Reward of the whole pool. ${NATIVE_UNITS}`,
  }),
  ...found('token', 'The token, a list of one.', under('info[].', tokenMeanings)),
  ...found('pos', 'The stake pool, a list of one.', under('info[].', stakePoolMeanings)),
}

export const explorerReference: ReferenceGroup = {
  name: 'Explorer',
  description: 'Lists and searches for pages that show the chain to people.',
  endpoints: [
    {
      endpoint: keyBlockPageEndpoint,
      summary: 'Ten calculated key blocks',
      parameters: { n: `${PAGE} Page 0 holds the newest.` },
      answer: {
        count: 'How many pages there are, from 0.',
        kblocks: 'Up to ten key blocks, newest first; the open one is not among them.',
        ...under('kblocks[].', keyBlockMeanings),
        'kblocks[].tx_count': 'Calculated transactions of its macroblock, whatever their status.',
      },
      malformed: '`n` is no whole number from 0.',
    },
    {
      endpoint: confirmedTransactionsEndpoint,
      summary: 'Confirmed transactions of a macroblock',
      description: 'The status is 200 always; look at `error.code`.',
      parameters: { height: 'Height, from 0. A text without a number in front counts as 0.' },
      answer: {
        error: 'How it went.',
        'error.code': '0 found, 1 no macroblock at that height, 2 not calculated yet, 3 failure inside.',
        'error.msg':
          'The same in words of the network: `successfully`, `block not found`, `block not calculated`.',
        data: 'What was found.',
        'data.txs': 'Ascending by microblock and transaction hash; empty unless `error.code` is 0.',
        ...under('data.txs[].', blockTransactionMeanings),
        'data.txs[].status': 'Always 3.',
      },
    },
    {
      endpoint: searchEndpoint,
      summary: 'Everything a text names',
      description:
        'Looks for a transaction; if there is none for an account, key block, microblock and statblock; then for a token and a stake pool. An empty list when nothing is found. The public network also finds exchanges (`pool`) and farms (`farm`), which do not exist here.',
      parameters: { value: 'A hash, an address, a token or pool identifier, in either letter case.' },
      answer: searchMeanings,
    },
    {
      endpoint: richestAccountsEndpoint,
      summary: 'Accounts by amount',
      description: 'Twenty a page, the largest first.',
      parameters: { page: PAGE, token_hash: 'Identifier of the token; the native one when absent.' },
      answer: {
        accounts: 'Up to twenty.',
        'accounts[].id': 'Address of the account.',
        'accounts[].amount': `Balance; of the native token with what is delegated and its unclaimed reward. ${TOKEN_UNITS}`,
        'accounts[].token': 'Identifier of the token.',
        'accounts[].percentage':
          'Share of the sum of all balances, 0 to 100 and, with delegated native coins, above; a double.',
        page_count: 'How many pages there are, from 0.',
      },
      malformed: '`page` is no whole number from 0.',
    },
    {
      endpoint: tokenPageEndpoint,
      summary: 'Tokens by number of holders',
      description: 'Twenty a page, most holders first, then ascending by identifier.',
      parameters: {
        page: PAGE,
        type: '`minable`, `reissuable` or `non_reissuable`; all tokens for any other text.',
      },
      answer: {
        tokens: 'Up to twenty.',
        ...under('tokens[].', listedTokenMeanings),
        page_size: 'Always 20.',
        page_count: 'How many pages there are, from 0.',
      },
      malformed: '`page` is no whole number from 0.',
    },
    {
      endpoint: tokensOfOwnerEndpoint,
      summary: 'Tokens of an owner',
      description: 'Descending by identifier; empty for an account that owns none.',
      parameters: { owner: 'Address of the owner.' },
      answer: under('[].', ownTokenMeanings),
    },
    {
      endpoint: holderCountEndpoint,
      summary: 'How many accounts hold a token',
      parameters: {
        token_hash: 'Identifier of the token; without it every account that holds anything counts.',
      },
      answer: { count: 'Accounts with a balance row, zero amounts included, each once.' },
    },
    {
      endpoint: tokenCountEndpoint,
      summary: 'How many tokens there are',
      answer: {
        count: 'All tokens.',
        non_reissuable: 'Tokens of fixed supply.',
        reissuable: 'Tokens whose owner can mint and burn.',
        minable: 'Tokens that proof of activity mines, the native one included.',
      },
    },
  ],
}
