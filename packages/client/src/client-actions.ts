import { assertArgument } from '@hailstone/protocol'
import { getAgentInfo } from './actions/get-agent-info.ts'
import { getBalance } from './actions/get-balance.ts'
import { getContractPrices } from './actions/get-contract-prices.ts'
import { getExpectedReturn } from './actions/get-expected-return.ts'
import { getHeight } from './actions/get-height.ts'
import { getHoldings } from './actions/get-holdings.ts'
import { getKeyBlockHeight } from './actions/get-key-block-height.ts'
import { getLastBlocks } from './actions/get-last-blocks.ts'
import { getMacroblock } from './actions/get-macroblock.ts'
import { getMacroblockByHash } from './actions/get-macroblock-by-hash.ts'
import { getMacroblockOutline } from './actions/get-macroblock-outline.ts'
import { getMicroblock } from './actions/get-microblock.ts'
import { getMicroblockHeader } from './actions/get-microblock-header.ts'
import { getMinersOnline } from './actions/get-miners-online.ts'
import { getMiningRewards } from './actions/get-mining-rewards.ts'
import { getMiningRules } from './actions/get-mining-rules.ts'
import { getNativeToken } from './actions/get-native-token.ts'
import { getNativeTokenId } from './actions/get-native-token-id.ts'
import { getNetworkInfo } from './actions/get-network-info.ts'
import { getOriginHash } from './actions/get-origin-hash.ts'
import { getPendingTransaction } from './actions/get-pending-transaction.ts'
import { getPoolSize } from './actions/get-pool-size.ts'
import { getRecordsOfHash } from './actions/get-records-of-hash.ts'
import { getReferralRewards } from './actions/get-referral-rewards.ts'
import { getReferrerStake } from './actions/get-referrer-stake.ts'
import { getRewards } from './actions/get-rewards.ts'
import { getStakeLimits } from './actions/get-stake-limits.ts'
import { getStats } from './actions/get-stats.ts'
import { getToken } from './actions/get-token.ts'
import { getTokenNames } from './actions/get-token-names.ts'
import { getTokenSlot } from './actions/get-token-slot.ts'
import { getTransaction } from './actions/get-transaction.ts'
import { getTransactions } from './actions/get-transactions.ts'
import { latestTransactions } from './actions/latest-transactions.ts'
import { miningRewardsOf } from './actions/mining-rewards-of.ts'
import { prepareTransaction } from './actions/prepare-transaction.ts'
import { referralRewardsOf } from './actions/referral-rewards-of.ts'
import { requestTestCoins } from './actions/request-test-coins.ts'
import { rewardsOf } from './actions/rewards-of.ts'
import { sendSignedTransaction } from './actions/send-signed-transaction.ts'
import { sendTransaction } from './actions/send-transaction.ts'
import { transactionsOf } from './actions/transactions-of.ts'
import { waitForTransaction } from './actions/wait-for-transaction.ts'
import { walkChain } from './actions/walk-chain.ts'
import type { ClientCore } from './client-core.ts'

/** The words are those of the functions, with an example of each as a method; a test compares them. */
export const actions = {
  /**
   * Reads the height of the open key block, the tail of the chain. Macroblocks below it are calculated; the one
   * just below may still be for a moment.
   *
   * Source: `GET /height`, which leaves the member out at height 0.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const height = await client.getHeight()
   */
  getHeight,
  /**
   * Reads the macroblock at a height; undefined when the chain has not come that far.
   *
   * Source: `GET /macroblock_by_height`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { microblocks } = await client.getMacroblock({ height: 7 })
   */
  getMacroblock,
  /**
   * Reads the macroblock of a key block; undefined when the network does not know the hash.
   *
   * Source: `GET /macroblock`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { keyBlock } = await client.getMacroblockByHash({ hash })
   */
  getMacroblockByHash,
  /**
   * Reads what somebody who follows the chain needs of the macroblock at a height; undefined when the chain has not come that far.
   *
   * Source: `GET /macroblock_by_height`, as `getMacroblock`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { microblocks } = await client.getMacroblockOutline({ height: 7 })
   */
  getMacroblockOutline,
  /**
   * Reads the height of a key block; undefined when the network does not know the hash.
   *
   * Source: `GET /macroblock`, as `getMacroblockByHash`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const height = await client.getKeyBlockHeight({ hash })
   */
  getKeyBlockHeight,
  /**
   * Reads a microblock; undefined when it is unknown or not calculated. Its hash is not recomputed here;
   * `walkChain` does that.
   *
   * Source: `GET /mblock`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const microblock = await client.getMicroblock({ hash })
   */
  getMicroblock,
  /**
   * Reads whose a microblock is and what it paid; undefined when it is unknown or not calculated.
   *
   * Source: `GET /mblock`, as `getMicroblock`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const header = await client.getMicroblockHeader({ hash })
   */
  getMicroblockHeader,
  /**
   * Reads a transaction; undefined while it waits, before it is calculated, and when it is unknown.
   *
   * Source: `GET /tx`, an empty body for "nothing". Of several copies it shows the best status.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const transaction = await client.getTransaction({ hash })
   */
  getTransaction,
  /**
   * Reads a transaction that waits in the pool; undefined when it does not wait there (any more). Unlike other
   * look-ups this one never takes a refusal for "nothing": that would read as "will not be executed".
   *
   * Source: `GET /pending_tx_hash`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const isWaiting = (await client.getPendingTransaction({ hash })) !== undefined
   */
  getPendingTransaction,
  /**
   * Reads the number of transactions that wait in the pool of the node that answers.
   *
   * Source: `GET /pending_size`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const waiting = await client.getPoolSize()
   */
  getPoolSize,
  /**
   * Reads what one block or transaction did to every account: who was paid what, and as which kind of record.
   *
   * Source: `GET /eindex_by_hash`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const records = await client.getRecordsOfHash({ hash })
   */
  getRecordsOfHash,
  /**
   * Reads how many miners named an account as their referral agent within a day, and its rewards of that day.
   * Undefined for an account of which the network computed nothing.
   *
   * Source: `GET /stat/agent_info`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const agent = await client.getAgentInfo({ address })
   */
  getAgentInfo,
  /**
   * Reads the balance of one token. An account the network has never seen has balance zero and is not known.
   *
   * Source: `GET /balance`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
   * @example
   * const { amount, decimals } = await client.getBalance({ address: wallet.address })
   */
  getBalance,
  /**
   * Reads every token an account has a row of, zero amounts too, sorted by token id.
   *
   * Source: `GET /balance_all_unfiltered`; `/balance_all` hides tokens that are not on its operator's list.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
   * @example
   * const holdings = await client.getHoldings({ address })
   */
  getHoldings,
  /**
   * Reads a token; undefined when the network does not know it.
   *
   * Source: `GET /token_info`, a list with one token or none.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
   * @example
   * const token = await client.getToken({ tokenId })
   */
  getToken,
  /**
   * Reads the native token; undefined when the network has no row of it.
   *
   * Source: `GET /native_token`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
   * @example
   * const token = await client.getNativeToken()
   */
  getNativeToken,
  /**
   * Returns the native token's id. What an API node said is remembered, for that node where requests go to one alone; that it said nothing is not, since a node that is
   * starting says that too. For a server without the endpoint the id in the network's definition stands in, if somebody
   * chose it.
   *
   * @throws {NodeError} `RESPONSE_INVALID`, also where no native token is named; `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`
   * @example
   * const tokenId = await client.getNativeTokenId()
   */
  getNativeTokenId,
  /**
   * Reads what mining a token asks; undefined when the network does not know it.
   *
   * Source: `GET /token_info`, as `getToken`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
   * @example
   * const rules = await client.getMiningRules({ tokenId })
   */
  getMiningRules,
  /**
   * Reads id, short name and caption of every token. Short names are not unique; none of them is fit for HTML
   * as it is.
   *
   * Source: `GET /get_tickers_all`, in no order.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const names = await client.getTokenNames()
   */
  getTokenNames,
  /**
   * Reads the constants of the network: block time, reward ratio, fee shares, origin.
   *
   * Source: `GET /network_info`. Old servers do not have it and answer `HTTP_STATUS` 404.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { origin, masterPublicKey } = await client.getNetworkInfo()
   */
  getNetworkInfo,
  /**
   * Reads the name of key block 0, which tells networks apart; undefined from a server without the endpoint, as old
   * ones are. That is what one server says now: another one, or the same a little later, may name it.
   *
   * Source: `GET /network_info`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const chain = await client.getOriginHash()
   */
  getOriginHash,
  /**
   * Reads the least native balance with which a referral agent earns; undefined when the network has not
   * configured one. For a custom token see `referrerStake` of the token.
   *
   * Source: `GET /referrer_stake`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const least = await client.getReferrerStake()
   */
  getReferrerStake,
  /**
   * Reads the least native balance of a miner and the most that counts, in units.
   *
   * Source: `GET /get_stake_limits`. For a custom token see `minimumStake` of the token; it has no upper limit.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const limits = await client.getStakeLimits()
   */
  getStakeLimits,
  /**
   * Reads what contracts cost on top of the fee.
   *
   * Source: `GET /contract_pricelist`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const prices = await client.getContractPrices()
   */
  getContractPrices,
  /**
   * Estimates what a stake earns; undefined when the network has no figures for this stake.
   *
   * Source: `GET /roi_by_stake`, which answers an error object for a stake outside its table.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const returns = await client.getExpectedReturn({ stake: parseAmount('25', { decimals: 10 }) })
   */
  getExpectedReturn,
  /**
   * Reads the operator's figures: for people to look at, not to compute with.
   *
   * Source: `GET /stats`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const stats = await client.getStats()
   */
  getStats,
  /**
   * Reads up to ten calculated key blocks, newest first.
   *
   * Source: `GET /lastblocks`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const [newest] = await client.getLastBlocks()
   */
  getLastBlocks,
  /**
   * Reads who is connected to the network's gateways.
   *
   * Source: `GET /poa_nodes_online`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const isSeen = (await client.getMinersOnline()).some((miner) => miner.address === wallet.address)
   */
  getMinersOnline,
  /**
   * Reads whether a token has a place of its own for its microblocks, and what such a place takes. What the network does not
   * say, or does not answer, is null.
   *
   * Source: `GET /network_info`, `GET /get_token_info_page`, and the balance of the token's owner.
   *
   * @throws {NodeError} `TOKEN_ID_MALFORMED`; the reason of the signal
   * @example
   * const { hasSlot } = await client.getTokenSlot({ tokenId })
   */
  getTokenSlot,
  /**
   * Reads one page of all rewards of an account: mining, referral and the operator's kinds.
   *
   * Source: `GET /account_rewards`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { records } = await client.getRewards({ address, page: 0 })
   */
  getRewards,
  /**
   * Reads one page of an account's referral rewards, as miner, as agent or as token owner.
   *
   * Source: `GET /account_refreward`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { records } = await client.getReferralRewards({ address, page: 0 })
   */
  getReferralRewards,
  /**
   * Reads one page of an account's microblock rewards.
   *
   * Source: `GET /account_mreward`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { records } = await client.getMiningRewards({ address, page: 0 })
   */
  getMiningRewards,
  /**
   * Reads one page of an account's transfers, confirmed and rejected; always look at the status.
   *
   * Source: `GET /account_transactions`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const { records } = await client.getTransactions({ address, page: 0 })
   */
  getTransactions,
  /**
   * Goes through all rewards of an account: mining, referral and the operator's kinds. Page by page, newest first, each record once.
   *
   * Source: `GET /account_rewards`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * for await (const reward of client.rewardsOf({ address })) console.log(reward.amount)
   */
  rewardsOf,
  /**
   * Goes through an account's referral rewards, as miner, as agent or as token owner. Page by page, newest first, each record once.
   *
   * Source: `GET /account_refreward`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * for await (const reward of client.referralRewardsOf({ address })) console.log(reward.amount)
   */
  referralRewardsOf,
  /**
   * Goes through an account's microblock rewards. Page by page, newest first, each record once.
   *
   * Source: `GET /account_mreward`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * for await (const reward of client.miningRewardsOf({ address })) console.log(reward.amount)
   */
  miningRewardsOf,
  /**
   * Goes through an account's transfers, confirmed and rejected; always look at the status. Page by page, newest first, each record once.
   *
   * Source: `GET /account_transactions`.
   *
   * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * for await (const transaction of client.transactionsOf({ address })) console.log(transaction.hash)
   */
  transactionsOf,
  /**
   * Works out what a payment will do: fee, net amount, balance and warnings. Signs and sends nothing.
   *
   * Source: `GET /token_info`, `GET /balance`; for custom tokens also the native balances that pay fees.
   *
   * @throws {NodeError} `TOKEN_UNKNOWN`; what is wrong with a parameter; what the look-ups throw
   * @example
   * const { fee, net, warnings } = await client.prepareTransaction({ from, to, amount })
   */
  prepareTransaction,
  /**
   * Signs a payment and sends it. Without `idempotencyKey` each call is a payment of its own: after an error never call it
   * again for the same payment, send the same bytes with `sendSignedTransaction`. `TRANSACTION_UNCERTAIN` carries them.
   *
   * @throws {NodeError} what `sendSignedTransaction` throws, and what is wrong with a parameter:
   *   `ADDRESS_MALFORMED`, `AMOUNT_OUT_OF_RANGE`, `TOKEN_ID_MALFORMED`, `MEMO_MALFORMED`, `NONCE_OUT_OF_RANGE`,
   *   `TRANSACTION_MALFORMED`, `ARGUMENT_INVALID`; of a signer that is no wallet `SIGNER_FAILED` after two minutes and
   *   `PAYMENT_ALTERED` for a signature that is not one of the account over this payment, both before anything is sent
   * @example
   * const { hash } = await client.sendTransaction({ wallet, to, amount, idempotencyKey: 'order 17' })
   */
  sendTransaction,
  /**
   * Sends a signed transaction, or sends it again: the same bytes are the same payment, however often they are
   * sent. After a lost answer the network is asked for the hash; only if it cannot tell, the outcome is
   * `TRANSACTION_UNCERTAIN`, and the thing to do is to send the same bytes again.
   *
   * Source: `POST /tx`, `GET /pending_tx_hash`, `GET /tx`.
   *
   * @throws {NodeError} `TRANSACTION_REFUSED` (this node does not take it now; what was taken before may still be executed),
   *   `TRANSACTION_UNCERTAIN`, `TRANSACTION_HASH_DIFFERS`, `ARGUMENT_INVALID`; `HTTP_STATUS` of a request that was turned away
   *   and `REQUEST_FAILED` of one that was never sent (it was not taken)
   * @example
   * await client.sendSignedTransaction({ transaction })
   */
  sendSignedTransaction,
  /**
   * Waits until a transaction has a final status: confirmed, rejected or duplicate. A network that cannot be
   * asked for a while is no end; only time is.
   *
   * @throws {NodeError} `ARGUMENT_INVALID`; `TRANSACTION_TIMEOUT`: no final status yet, which does not mean that there will be none.
   *   `isPending` tells whether the pool still holds it, null when it could not be asked
   * @example
   * const { status } = await client.waitForTransaction({ hash })
   */
  waitForTransaction,
  /**
   * Requests the stake of a token from a test network, with native coins for fees if it is another token. Returns true
   * when they are on their way as ordinary transactions; false when the faucet is empty, refuses, or has served this
   * address a moment ago. A token that the network does not let people mine is an `HTTP_STATUS`, 400 or 404.
   *
   * Source: `POST /faucet` of a local network. The public test network has its faucet on a host of its own,
   * the main network has none.
   *
   * @throws {NodeError} `ARGUMENT_INVALID`, `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
   * @example
   * const isOnItsWay = await client.requestTestCoins({ address: wallet.address })
   */
  requestTestCoins,
  /**
   * Goes through the chain, macroblock by macroblock, in order and without gaps. Each is linked to the one before,
   * every transaction hash and microblock hash is recomputed, and what a macroblock holds is checked against the
   * root in the next key block, so that a microblock that was left out is noticed. Signatures are not checked. The
   * memory it takes does not grow with the length. Ending the loop early cancels what was read ahead.
   *
   * @throws {NodeError} `ARGUMENT_INVALID`; `CHAIN_INCONSISTENT`; `HEIGHT_UNAVAILABLE` for a height that was asked for and is not
   *   calculated; `NETWORK_MISMATCH` when block 0 is not the network's origin; what the look-ups throw
   * @example
   * for await (const macroblock of client.walkChain({ fromHeight: 0 })) console.log(macroblock.height)
   */
  walkChain,
  /**
   * Reads the chain's transactions, newest macroblock first, until the caller stops the loop or the chain ends. All of
   * them are calculated: confirmed, rejected or duplicates. Within a macroblock they come in the order of their hashes,
   * the order in which the network executes them. Every hash on the way is recomputed.
   *
   * Source: `GET /height`, then `GET /macroblock_by_height` and `GET /mblock` as `walkChain` reads them.
   *
   * @throws {NodeError} as `walkChain`
   * @example
   * for await (const transaction of client.latestTransactions()) console.log(transaction.hash)
   */
  latestTransactions,
}

type Bound<Action extends (...given: never) => unknown> =
  Parameters<Action> extends readonly [ClientCore]
    ? () => ReturnType<Action>
    : Parameters<Action> extends readonly [ClientCore, infer P]
      ? (parameters: P) => ReturnType<Action>
      : Parameters<Action> extends readonly [ClientCore, (infer P)?]
        ? (parameters?: P) => ReturnType<Action>
        : never

/** Every action of this package with its first argument filled in. */
export type ClientActions = { readonly [Name in keyof typeof actions]: Bound<(typeof actions)[Name]> }

type AnyAction = (client: ClientCore, ...rest: readonly unknown[]) => unknown

/** Binds every action to a client. */
export const bindActions = (client: ClientCore): ClientActions =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      (given: unknown = {}, ...rest: readonly unknown[]) =>
        callChecked(
          name,
          given,
          () => client.diagnostics?.names?.action(name, given),
          () => (action as AnyAction)(client, given, ...rest),
        ),
    ]),
  ) as ClientActions

/**
 * Checks the parameters of an action, then calls it. An action that returns a promise rejects with `ARGUMENT_INVALID`, so
 * that one `catch` takes all of its errors; one that returns a generator throws it.
 */
export function callChecked(name: string, given: unknown, check: () => void, act: () => unknown): unknown {
  const expected = 'an object that names its parameters, as in getBalance({ address })'
  try {
    assertArgument(Object(given) === given, `of ${name}`, expected, given)
    check()
  } catch (error) {
    if (/Of$|^walk|^latest/.test(name)) throw error
    return Promise.reject(error)
  }
  return act()
}
