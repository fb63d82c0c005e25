/** Kind of value of the running chain that an example uses. */
export type ExampleSource =
  | 'account'
  | 'sender'
  | 'receiver'
  | 'miner'
  | 'keyBlockPublisher'
  | 'referralAccount'
  | 'referralAgent'
  | 'stakePool'
  | 'poolId'
  | 'poolOwner'
  | 'rewardedAccount'
  | 'reissuableHolder'
  | 'delegator'
  | 'undelegator'
  | 'tokenOwner'
  | 'token'
  | 'tokenOfAccount'
  | 'nativeToken'
  | 'newestHeight'
  | 'earlierHeight'
  | 'keyBlock'
  | 'microblock'
  | 'statBlock'
  | 'transaction'
  | 'waitingTransaction'
  | 'waitingAccount'
  | 'stake'

/** From the running chain, or the same on every chain. */
export type ExampleOrigin = ExampleSource | { readonly always: string }

const always = (text: string): ExampleOrigin => ({ always: text })

/** Parameters that an example is given for, by operation and name on the wire; the others are left out of a call. */
export const exampleSources: Readonly<Record<string, Readonly<Record<string, ExampleOrigin>>>> = {
  'GET /macroblock_by_height': { height: 'newestHeight' },
  'GET /macroblock': { hash: 'keyBlock' },
  'GET /mblock': { hash: 'microblock' },
  'GET /sblock': { hash: 'statBlock' },
  'GET /mblocks': { offset: 'earlierHeight', limit: always('10') },
  'GET /tx': { hash: 'transaction' },
  'GET /pending_tx_hash': { hash: 'waitingTransaction' },
  'GET /pending_tx_account': { id: 'waitingAccount' },
  'GET /balance': { id: 'account', token: 'tokenOfAccount' },
  'GET /balance_all': { id: 'account' },
  'GET /balance_all_unfiltered': { id: 'account' },
  'GET /balance_mineable': { id: 'account' },
  'GET /balance_reissuable': { id: 'reissuableHolder' },
  'GET /stat/agent_info': { id: 'referralAgent' },
  'GET /account_rewards': { id: 'rewardedAccount', page: always('0') },
  'GET /account_transactions': { id: 'sender', page: always('0') },
  'GET /account_refreward': { id: 'referralAccount', page: always('0') },
  'GET /account_mreward': { id: 'miner', page: always('0') },
  'GET /account_kreward': { id: 'keyBlockPublisher', page: always('0') },
  'GET /account_sreward': { id: 'stakePool', page: always('0') },
  'GET /account_in': { id: 'receiver', page: always('0') },
  'GET /account_out': { id: 'sender', page: always('0') },
  'GET /account': { id: 'rewardedAccount', page: always('0') },
  'GET /eindex_by_hash': { hash: 'microblock' },
  'GET /token_info': { hash: 'token' },
  'GET /roi': { hash: 'nativeToken' },
  'GET /roi_by_stake': { stake: 'stake', hash: 'nativeToken' },
  'GET /get_pos_list_page': { page: always('0') },
  'GET /get_delegated_list': { delegator: 'delegator' },
  'GET /get_undelegated_list': { delegator: 'undelegator' },
  'GET /get_delegated_page': { delegator: 'delegator', page: always('0') },
  'GET /get_undelegated_page': { delegator: 'undelegator', page: always('0') },
  'GET /get_pos_list': { owner: 'poolOwner' },
  'GET /get_pos_info': { pos_id: 'poolId' },
  'GET /get_delegators_list': { pos_id: 'poolId' },
  'GET /get_delegators_page': { pos_id: 'poolId', page: always('0') },
  'GET /get_token_holder_count': { token_hash: 'token' },
  'GET /page': { n: always('0') },
  'GET /success_tx_by_height': { height: 'newestHeight' },
  'GET /search': { value: 'transaction' },
  'GET /top_accounts': { page: always('0'), token_hash: 'token' },
  'GET /get_token_info_page': { page: always('0'), type: always('minable') },
  'GET /get_tokens_by_owner': { owner: 'tokenOwner' },
}

const MINE_FIRST =
  'Nothing was mined yet. Blocks come by the clock once something waits: send a payment with POST /tx, or start a miner.'
const AGENT_FIRST =
  'Nobody earned a referral reward of late. Start a miner that names an agent with enough coins: `hailstone mine --agent ADDRESS`.'

/** Instructions for creating values that the chain does not have yet. */
export const howToGet: Readonly<Partial<Record<ExampleSource, string>>> = {
  transaction: MINE_FIRST,
  microblock: MINE_FIRST,
  statBlock: MINE_FIRST,
  sender: MINE_FIRST,
  receiver: MINE_FIRST,
  miner: MINE_FIRST,
  rewardedAccount: MINE_FIRST,
  stake: MINE_FIRST,
  keyBlockPublisher: MINE_FIRST,
  stakePool: MINE_FIRST,
  referralAccount: AGENT_FIRST,
  referralAgent: AGENT_FIRST,
  waitingTransaction: 'Nothing waits at the moment. Send a payment with POST /tx and come back at once.',
  waitingAccount: 'Nothing waits at the moment. Send a payment with POST /tx and come back at once.',
  delegator: 'Nobody delegates to a stake pool. Send the contract `delegate`.',
  undelegator:
    'Nobody takes coins out of a stake pool, so the answer is an empty list. Send the contract `undelegate`.',
  reissuableHolder:
    'There is no reissuable token: `hailstone-network token create --symbol ICE --supply 1000 --reissuable`.',
}
