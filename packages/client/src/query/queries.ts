import { assertArgument, type NetworkInfo, type RewardRecord } from '@hailstone/protocol'
import { type Balance, type GetBalanceParameters, getBalance } from '../actions/get-balance.ts'
import { getHeight } from '../actions/get-height.ts'
import { getNetworkInfo } from '../actions/get-network-info.ts'
import { getRewards } from '../actions/get-rewards.ts'
import { getToken, type TokenInfo } from '../actions/get-token.ts'
import {
  type GetTransactionParameters,
  getTransaction,
  type TransactionInfo,
} from '../actions/get-transaction.ts'
import type { GetHistoryParameters, HistoryPageInfo } from '../actions/history.ts'
import type { GetTokenParameters } from '../actions/read-token.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Options of a query of TanStack Query 5, or of anything with the same shape. */
export type Query<T, P> = {
  /** Texts and numbers alone: keys are hashed as JSON, which has no bigints. */
  readonly queryKey: readonly ['hailstone', apiUrl: string, action: string, parameters: P]
  /** Asks the network. Rejects with a `NodeError`, or with the reason of the signal. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
  /** Milliseconds for which an answer counts as fresh. */
  readonly staleTime: number
  /** Never: the client repeats a failed request itself, within its budget. */
  readonly retry: false
}

type Given<P> = Omit<P, 'signal'>

/** Time between two macroblocks of the public networks. */
const BLOCK_MS = 15_000
/** For what changes with a decision of the operator alone. */
const HOUR_MS = 3_600_000

/**
 * Makes a query of one action; what the network does not have is null, since a query may not be undefined.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; wrong parameters of the action reject when it is asked
 */
function queryOf<P extends Cancellable, T>(
  client: ClientCore,
  action: string,
  ask: (client: ClientCore, parameters: P) => Promise<T>,
  parameters: Given<P>,
  staleTime: number,
): Query<T, Given<P>> {
  assertArgument(Object(client).transport, 'client', 'a client, of createClient({ apiUrl })', client)
  return {
    queryKey: ['hailstone', client.apiUrl, action, parameters],
    queryFn: ({ signal }) => ask(client, { ...parameters, signal } as P & Given<P>),
    staleTime,
    retry: false,
  }
}

/** The balance of one token. Fresh for a block. */
export const balanceQuery = (
  client: ClientCore,
  parameters: Given<GetBalanceParameters>,
): Query<Balance, Given<GetBalanceParameters>> =>
  queryOf<GetBalanceParameters, Balance>(client, 'balance', getBalance, parameters, BLOCK_MS)

/** The height of the chain. Fresh for a block. */
export const heightQuery = (client: ClientCore): Query<number, object> =>
  queryOf(client, 'height', getHeight, {}, BLOCK_MS)

/** A token; null when the network does not know it. Fresh for an hour. */
export const tokenQuery = (
  client: ClientCore,
  parameters: Given<GetTokenParameters>,
): Query<TokenInfo | null, Given<GetTokenParameters>> =>
  queryOf<GetTokenParameters, TokenInfo | null>(
    client,
    'token',
    async (...given) => (await getToken(...given)) ?? null,
    parameters,
    HOUR_MS,
  )

/** A transaction; null while it waits, before it is calculated, and when it is unknown. Fresh for a block. */
export const transactionQuery = (
  client: ClientCore,
  parameters: Given<GetTransactionParameters>,
): Query<TransactionInfo | null, Given<GetTransactionParameters>> =>
  queryOf<GetTransactionParameters, TransactionInfo | null>(
    client,
    'transaction',
    async (...given) => (await getTransaction(...given)) ?? null,
    parameters,
    BLOCK_MS,
  )

/** The constants of the network. Fresh for an hour. */
export const networkInfoQuery = (client: ClientCore): Query<NetworkInfo, object> =>
  queryOf(client, 'networkInfo', getNetworkInfo, {}, HOUR_MS)

/** One page of all rewards of an account. Fresh for a block. */
export const rewardsQuery = (
  client: ClientCore,
  parameters: Given<GetHistoryParameters>,
): Query<HistoryPageInfo<RewardRecord>, Given<GetHistoryParameters>> =>
  queryOf<GetHistoryParameters, HistoryPageInfo<RewardRecord>>(
    client,
    'rewards',
    getRewards,
    parameters,
    BLOCK_MS,
  )
