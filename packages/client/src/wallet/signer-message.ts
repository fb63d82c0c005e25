import { type ErrorCode, type ErrorFacts, isNodeError, keystoreError, NodeError } from '@hailstone/protocol'

/** Requests that a signer in a worker accepts. There is no request that exports the key. */
const signerRequests = ['address', 'signTransaction', 'signHail', 'signPublication', 'deriveNonce'] as const
export type SignerRequest = (typeof signerRequests)[number]

/** The first question is always whose account it is; a worker answers it unasked as soon as it can. */
export const ADDRESS_ID = 0

/** From the program to the worker. */
export type SignerQuestion = {
  readonly hailstone: 'sign'
  readonly id: number
  readonly request: SignerRequest
  readonly parameters: unknown
}

/** From the worker to the program. */
export type SignerAnswer = {
  readonly hailstone: 'signed'
  readonly id: number
  readonly result?: unknown
  /** In the answer with the address: true if the signer there derives nonces. */
  readonly derivesNonces?: boolean | undefined
  readonly error?: CarriedError | undefined
}

/** An error does not survive the way as what it is: its class is lost, and its code with it. */
export type CarriedError = {
  readonly code: ErrorCode
  readonly facts: ErrorFacts[ErrorCode]
  /** The other side may not have the sentence of every code. */
  readonly message: string
}

/**
 * Returns the part of an error that may leave the worker. Messages of foreign errors are dropped, since they may
 * contain secrets.
 */
export function carriedError(error: unknown): CarriedError {
  const reported = isNodeError(error)
    ? error
    : keystoreError('SIGNER_FAILED', { reason: 'the worker failed' })
  const { code, facts, message } = reported
  return { code, facts, message }
}

export const restoredError = ({ code, facts, message }: CarriedError): NodeError =>
  new NodeError(code, facts, undefined, { [code]: () => message } as never)

const hasKind = (message: unknown, kind: string): boolean =>
  typeof message === 'object' && message !== null && Reflect.get(message, 'hailstone') === kind

export const isSignerQuestion = (message: unknown): message is SignerQuestion =>
  hasKind(message, 'sign') && signerRequests.includes(Reflect.get(message as object, 'request'))

export const isSignerAnswer = (message: unknown): message is SignerAnswer => hasKind(message, 'signed')
