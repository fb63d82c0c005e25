import { walletFromPrivateKey } from '@hailstone/client'
import { type Ecdsa, type ErrorCode, isNodeError, keystoreError, NodeError } from '@hailstone/protocol'
import type { FleetSigner } from './signer-pool.ts'

/**
 * Private keys, 64 hex digits each. A function is asked again when a signing thread has to be replaced; anything
 * else is read once, and a thread that dies takes its keys with it.
 */
export type FleetKeys = KeySequence | (() => KeySequence)
/** Private keys in hexadecimal digits, read one at a time. */
export type KeySequence = Iterable<string> | AsyncIterable<string>

/** An error on its way between threads; the other side may not have the sentence of every code. */
export type SentError = { readonly code: ErrorCode; readonly facts: unknown; readonly message: string }

export function sendError(error: unknown): SentError {
  const reported = isNodeError(error) ? error : keystoreError('SIGNER_FAILED', { reason: 'it threw' })
  const { code, facts, message } = reported
  return { code, facts, message }
}

export const receiveError = ({ code, facts, message }: SentError): NodeError =>
  new NodeError(code, facts as never, undefined, { [code]: () => message } as never)

/** Opens one key. For an invalid one it returns the error that says so, without repeating the key. */
export function openKey(text: unknown, ecdsa: Ecdsa | undefined): FleetSigner | NodeError {
  try {
    const key = typeof text === 'string' ? text.trim() : (text as string)
    return walletFromPrivateKey(key, { ecdsa })
  } catch (error) {
    return receiveError(sendError(error))
  }
}

/** Opens keys one by one on this thread. */
export async function* openKeys(
  keys: FleetKeys,
  ecdsa: Ecdsa | undefined,
): AsyncGenerator<FleetSigner | NodeError> {
  for await (const text of typeof keys === 'function' ? await keys() : keys) yield openKey(text, ecdsa)
}
