import {
  apiError,
  decodeWith,
  type Endpoint,
  isNodeError,
  type Parameters,
  parseJson,
} from '@hailstone/protocol'
import { isWireObject } from '@hailstone/protocol/schema'
import { answerFault } from './answer-fault.ts'
import type { TransportAnswer } from './transport/transport.ts'

/** Longest message of the network that is passed on. */
const MESSAGE_LIMIT = 500

/**
 * Reads an answer by the definition of its endpoint. Pure: the same text gives the same value or the same
 * error, and nothing that does not match comes through. Undefined is the documented "nothing".
 *
 * @throws {NodeError} `HTTP_STATUS`, the network's own refusal; `RESPONSE_INVALID`
 */
export function readEndpointAnswer<P extends Parameters, T, B>(
  endpoint: Endpoint<P, T, B>,
  { status, text, contentType }: TransportAnswer,
): T | undefined {
  const { path, method, mayBeEmpty, answer } = endpoint
  const isWanted = status === 200
  if (isWanted && text === '' && mayBeEmpty) return undefined
  const wire = jsonOrUndefined(text)
  const error = isWireObject(wire) && Object.hasOwn(wire, 'err') ? wire : undefined
  if (!isWanted) {
    const message = typeof error?.message === 'string' ? error.message.slice(0, MESSAGE_LIMIT) : null
    throw apiError('HTTP_STATUS', { path, status, message })
  }
  if (wire === undefined) {
    throw answerFault(path, `the body is not JSON (content type ${contentType?.slice(0, 60)})`)
  }
  // Every member of some answers may be missing, so an error object would read as data.
  if (method === 'GET' && error !== undefined)
    throw answerFault(path, 'it is an error object with status 200')
  const decoded = decodeWith(answer, wire)
  if (!decoded.ok) throw answerFault(path, decoded.problem.reason)
  return decoded.value
}

function jsonOrUndefined(text: string) {
  try {
    return parseJson(text)
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}
