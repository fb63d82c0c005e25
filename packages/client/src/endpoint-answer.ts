import {
  apiError,
  decodeWith,
  type Endpoint,
  isNodeError,
  type JsonValue,
  type NodeError,
  type Parameters,
  parseJson,
} from '@hailstone/protocol'
import type { TransportAnswer } from './transport/transport.ts'

/** An answer after reading: a value, the documented "nothing", or the network's own refusal. */
export type EndpointAnswer<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string | null }

/** Longest message of the network that is passed on. */
const MESSAGE_LIMIT = 500

/**
 * Reads an answer by the definition of its endpoint. Pure: the same text gives the same value or the same
 * error, and nothing that does not match comes through.
 *
 * @throws {NodeError} `RESPONSE_INVALID`
 */
export function readEndpointAnswer<P extends Parameters, T, B>(
  endpoint: Endpoint<P, T, B>,
  answer: TransportAnswer,
): EndpointAnswer<T> {
  const { status, text } = answer
  if (status !== 200) return { kind: 'refused', status, message: messageOf(text) }
  if (text === '' && endpoint.mayBeEmpty) return { kind: 'nothing' }
  const wire = jsonOf(endpoint.path, answer)
  // Every member of some answers may be missing, so an error object would read as data.
  if (endpoint.method === 'GET' && hasError(wire)) {
    throw invalid(endpoint.path, 'it is an error object with status 200')
  }
  const decoded = decodeWith(endpoint.answer, wire)
  if (!decoded.ok) throw invalid(endpoint.path, decoded.problem.reason)
  return { kind: 'value', value: decoded.value }
}

const invalid = (path: string, reason: string, options?: ErrorOptions): NodeError =>
  apiError('RESPONSE_INVALID', { path, reason }, options)

function jsonOf(path: string, { text, contentType }: TransportAnswer): JsonValue {
  if (text === '') throw invalid(path, 'the body is empty')
  try {
    return parseJson(text)
  } catch (error) {
    if (!isNodeError(error)) throw error
    const kind = contentType === null ? 'no content type' : `content type ${contentType.slice(0, 60)}`
    throw invalid(path, `the body is not JSON (${kind})`, { cause: error })
  }
}

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasError = (wire: JsonValue): boolean => isObject(wire) && Object.hasOwn(wire, 'err')

/** The message of `{err:1,message}`, null for whatever else a failing server says. */
function messageOf(text: string): string | null {
  try {
    const wire = parseJson(text, { limitBytes: 64 * 1024 })
    const message = hasError(wire) && isObject(wire) ? wire.message : undefined
    return typeof message === 'string' ? message.slice(0, MESSAGE_LIMIT) : null
  } catch (error) {
    if (isNodeError(error)) return null
    throw error
  }
}
