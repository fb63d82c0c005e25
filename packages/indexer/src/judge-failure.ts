import { isConnectionLoss, passes } from '@hailstone/database'
import { isNodeError, type NodeError } from '@hailstone/protocol'
import type { IndexStatus } from './schema.ts'

/** Codes of answers that cannot be true. */
const lies = [
  'CHAIN_INCONSISTENT',
  'RESPONSE_INVALID',
  'RESPONSE_TOO_LARGE',
  'NETWORK_MISMATCH',
  'DECIMALS_DIFFER',
]
/** Codes of failures that stay until a person changes a setting, or ends another process. */
const lasting: readonly NodeError['code'][] = ['CONFIGURATION_INVALID', 'STORE_INVALID', 'STORE_LOCKED']

/** Codes of the database's own failures. */
const ofStore: readonly NodeError['code'][] = ['STORE_UNREACHABLE', 'STORE_FULL', 'STORE_NOT_REPLICATED']

/** SQLSTATE of an error; undefined if it is not one of a statement. */
function sqlStateOf(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown }
  return !isNodeError(error) && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True for a value that no column can hold (class 22): nothing but an answer of the API can have brought it. */
const isOfData = (error: unknown): boolean => sqlStateOf(error)?.startsWith('22') === true

/** True if a failure can pass by itself. Whatever is not known to last may. */
export const mayPass = (error: unknown): boolean => !isNodeError(error) || !lasting.includes(error.code)

/** True if a database that could not be opened may open later. A password, a right or a missing database do not pass. */
export function opensLater(error: unknown): boolean {
  if (isNodeError(error) && !ofStore.includes(error.code)) return false
  const { cause = error } = Object(error) as Error
  return isConnectionLoss(cause) || isNodeError(error, 'STORE_FULL') || passes(cause)
}

/** True if the database caused a failure. */
export const isOfDatabase = (error: unknown): boolean =>
  isConnectionLoss(error) ||
  (isNodeError(error) ? ofStore.includes(error.code) : sqlStateOf(error) !== undefined && !isOfData(error))

/** Returns what an error says; one that sums up several attempts has a code alone. */
export function causeText(error: unknown): string {
  const { message = String(error), code } = Object(error) as Partial<Error> & { readonly code?: string }
  return message === '' ? (code ?? 'no reason') : message
}

/** Returns the status of an index after a failure of a look, and a sentence about it. */
export function judgeFailure(error: unknown): [status: IndexStatus, note: string] {
  const state = sqlStateOf(error)
  if (isOfData(error)) return ['api lies', `The API answers what no table can hold (${causeText(error)}).`]
  if (state !== undefined) return ['behind', `The database refuses (${causeText(error)}, SQLSTATE ${state}).`]
  return [isNodeError(error) && lies.includes(error.code) ? 'api lies' : 'behind', causeText(error)]
}
