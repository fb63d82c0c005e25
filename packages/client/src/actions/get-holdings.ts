import { balanceAllUnfilteredEndpoint, type Holding } from '@hailstone/protocol'
import { assertDecimals } from '../answer-fault.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Parameters of {@link getHoldings}. */
export type GetHoldingsParameters = Cancellable & {
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
}

/**
 * Reads every token an account has a row of, zero amounts too, sorted by token id.
 *
 * Source: `GET /balance_all_unfiltered`; `/balance_all` hides tokens that are not on its operator's list.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`, `DECIMALS_DIFFER`
 */
export async function getHoldings(
  client: ClientCore,
  { address, signal }: GetHoldingsParameters,
): Promise<readonly Holding[]> {
  const holdings = await callEndpoint(client, balanceAllUnfilteredEndpoint, { address }, { signal })
  for (const { decimals, tokenId } of holdings) assertDecimals(client, decimals, tokenId)
  return [...holdings].sort((a, b) => (a.tokenId < b.tokenId ? -1 : 1))
}
