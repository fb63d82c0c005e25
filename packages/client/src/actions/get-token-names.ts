import { type TokenName, tokenNamesEndpoint } from '@hailstone/protocol'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'

/**
 * Reads id, short name and caption of every token. Short names are not unique; none of them is fit for HTML
 * as it is.
 *
 * Source: `GET /get_tickers_all`, in no order.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getTokenNames = (
  client: ClientCore,
  { signal }: Cancellable = {},
): Promise<readonly TokenName[]> => callEndpoint(client, tokenNamesEndpoint, {}, { signal })
