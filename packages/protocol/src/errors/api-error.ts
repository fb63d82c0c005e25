import { type ApiErrorCode, type ErrorFacts, type Sentences, shown } from './facts.ts'
import { NodeError } from './node-error.ts'

export const apiSentences: Sentences<ApiErrorCode> = {
  RESPONSE_INVALID: ({ path, reason }) => `The answer to ${path} is not valid: ${reason}.`,
  RESPONSE_TOO_LARGE: ({ path, limitBytes }) => `The answer to ${path} has more than ${limitBytes} bytes.`,
  HTTP_STATUS: ({ path, status, message }) =>
    `The network answered ${status} to ${path}${message === null ? '' : `: ${message}`}.`,
  REQUEST_TIMEOUT: ({ path, timeoutMs }) => `The network did not answer to ${path} within ${timeoutMs} ms.`,
  REQUEST_FAILED: ({ path, reason }) => `The network could not be asked for ${path}: ${reason}.`,
  HEIGHT_UNAVAILABLE: ({ height }) => `The network has no macroblock at height ${height} yet.`,
  CHAIN_INCONSISTENT: ({ height, reason }) =>
    `The chain does not fit together at height ${height}: ${reason}.`,
  NETWORK_MISMATCH: ({ expected, received }) =>
    `This is another network: expected ${shown(expected)}, found ${shown(received)}.`,
  DECIMALS_DIFFER: ({ tokenId, expected, received }) =>
    `Token ${tokenId} has ${expected} decimals; got ${received}.`,
  TOKEN_UNKNOWN: ({ tokenId }) => `The network knows no token ${tokenId}.`,
}

/** Creates an error of requests over HTTP, which a session does not need. */
export function apiError<C extends ApiErrorCode>(
  code: C,
  facts: ErrorFacts[C],
  options?: ErrorOptions,
): NodeError<C> {
  return new NodeError<ApiErrorCode>(code, facts, options, apiSentences) as NodeError<C>
}
