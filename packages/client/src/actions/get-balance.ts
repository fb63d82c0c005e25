import { type Amount, balanceEndpoint, type TokenId } from '@hailstone/protocol'
import { answerFault, assertDecimals, isSameName } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Balance of an account in one token, with its native stakes. */
export type Balance = {
  /** Units of the token. Only this counts as stake for mining. */
  readonly amount: Amount
  /** False when the account has no row in the token: then amount is zero and decimals mean nothing. */
  readonly isKnown: boolean
  /** Undefined for an account that the network does not know. */
  readonly tokenId?: TokenId | undefined
  /** Short name of the token; undefined when the network does not name one. */
  readonly symbol?: string | undefined
  /** Decimals of the token, 0 to 10: a coin is 10^decimals units. */
  readonly decimals: number
  /** Native units at stake pools, whatever token was asked for; so are the next three. */
  readonly delegated: Amount
  /** Earned at stake pools and not claimed yet, in native units. */
  readonly stakingReward: Amount
  /** Undelegated from a stake pool, still locked. */
  readonly inTransit: Amount
  /** Out of a stake pool, to be claimed. */
  readonly undelegated: Amount
}

/** Parameters of {@link getBalance}. */
export type GetBalanceParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
  /** @default the network's native token */
  readonly tokenId?: string | undefined
}

/**
 * Reads the balance of one token. An account the network has never seen has balance zero and is not known.
 *
 * Source: `GET /balance`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
 * @example
 * const { amount, decimals } = await getBalance(client, { address: wallet.address })
 * formatAmount(amount, { decimals }) // '25.5'
 */
export async function getBalance(
  client: ClientCore,
  { address, tokenId, signal }: GetBalanceParameters,
): Promise<Balance> {
  const { path } = balanceEndpoint
  const answer = await callEndpoint(client, balanceEndpoint, { address, tokenId }, { signal })
  if (answer.tokenId === undefined) {
    if (answer.amount > 0n) throw answerFault(path, 'it has an amount but names no token')
    return { ...answer, isKnown: false }
  }
  if (tokenId !== undefined && !isSameName(answer.tokenId, tokenId)) {
    throw answerFault(path, 'it is the balance of another token')
  }
  assertDecimals(client, answer.decimals, tokenId === undefined ? undefined : answer.tokenId)
  return { ...answer, isKnown: true }
}
