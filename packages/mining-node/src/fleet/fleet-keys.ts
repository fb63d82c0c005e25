import { walletFromPrivateKey } from '@hailstone/client'
import { type Ecdsa, type ErrorCode, isNodeError, NodeError } from '@hailstone/protocol'
import type { FleetSigner } from './signing-desk.ts'

/**
 * Private keys, 64 hex digits each. A function is asked again when a signing thread has to be replaced; anything
 * else is read once, and a thread that dies takes its keys with it.
 */
export type FleetKeys = KeySequence | (() => KeySequence)
export type KeySequence = Iterable<string> | AsyncIterable<string>

/** An error on its way between threads. */
export type SentError = { readonly code: ErrorCode; readonly facts: unknown }

export const sendError = (error: unknown): SentError =>
  isNodeError(error)
    ? { code: error.code, facts: error.facts }
    : { code: 'SIGNER_FAILED', facts: { reason: 'it threw' } }

export const receiveError = ({ code, facts }: SentError): NodeError => new NodeError(code, facts as never)

/** Opens one key. One that is none becomes the error that says so, without repeating it. */
export function openKey(text: unknown, ecdsa: Ecdsa | undefined): FleetSigner | NodeError {
  try {
    return walletFromPrivateKey(typeof text === 'string' ? text.trim() : (text as string), { ecdsa })
  } catch (error) {
    return receiveError(sendError(error))
  }
}

/** Opens keys one by one on this thread. */
export async function* openKeys(
  keys: FleetKeys,
  ecdsa: Ecdsa | undefined,
): AsyncGenerator<FleetSigner | NodeError> {
  for await (const text of typeof keys === 'function' ? keys() : keys) yield openKey(text, ecdsa)
}
