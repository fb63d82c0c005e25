import { type Amount, contractPricesEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/** Native units by contract name, for example `create_token`. */
export type ContractPrices = Readonly<Record<string, Amount>>

/**
 * Reads what contracts cost on top of the fee.
 *
 * Source: `GET /contract_pricelist`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getContractPrices = (
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<ContractPrices> => callEndpoint(client, contractPricesEndpoint, {}, { signal })
