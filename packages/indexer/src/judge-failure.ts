import { isNodeError } from '@hailstone/protocol'
import type { IndexStatus } from './schema.ts'

/** Codes of answers that cannot be true. */
const lies = [
  'CHAIN_INCONSISTENT',
  'RESPONSE_INVALID',
  'RESPONSE_TOO_LARGE',
  'NETWORK_MISMATCH',
  'DECIMALS_DIFFER',
]
/** Codes of an API that does not answer, or not yet. */
const absences = ['HEIGHT_UNAVAILABLE', 'HTTP_STATUS', 'REQUEST_FAILED', 'REQUEST_TIMEOUT', 'URL_REFUSED']

/**
 * Returns the status of the index after a failure of the API, and a sentence about it.
 *
 * @throws the error itself if the API did not cause it
 */
export function judgeFailure(error: unknown): [status: IndexStatus, note: string] {
  if (isNodeError(error)) {
    if (lies.includes(error.code)) return ['api lies', error.message]
    if (absences.includes(error.code)) return ['behind', error.message]
  }
  throw error
}
