import { assertArgument } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { Signer } from './signer.ts'
import {
  ADDRESS_ID,
  carriedError,
  isSignerQuestion,
  type SignerAnswer,
  type SignerQuestion,
} from './signer-message.ts'
import { listen, type SignerPort } from './signer-port.ts'

/** Parameters of {@link serveSigner}. */
export type ServeSignerParameters = {
  /** `parentPort` of a Node worker, `self` of a Web Worker, or a `MessagePort`. */
  readonly port: SignerPort
  /** Usually a wallet that was opened in this worker, so that its key never was anywhere else. */
  readonly signer: Signer
}

/**
 * Answers a program that signs through a worker: the other end is `createWorkerSigner`. Only the three typed
 * messages and the nonces of orders can be asked for. The answer ends it.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * // signer-worker.js, on Node
 * const { wallet } = await createFileKeystore({ path }).unlock({ password })
 * serveSigner({ port: parentPort, signer: wallet })
 */
export function serveSigner(parameters: ServeSignerParameters): () => void {
  const { port, signer } = Object(parameters) as ServeSignerParameters
  assertArgument(signer?.signTransaction, 'signer', 'a wallet, or another signer', signer)
  const answer = (question: SignerQuestion): void => {
    const post = (outcome: Outcome): void =>
      port.postMessage({ hailstone: 'signed', id: question.id, ...outcome } satisfies SignerAnswer)
    // What a signer returns may be nothing that can be posted.
    guarded(
      async () => post(await outcomeOf(signer, question)),
      (cause) => post({ error: carriedError(cause) }),
    )()
  }
  const stop = listen(port, {
    onMessage: (message) => {
      if (isSignerQuestion(message)) answer(message)
    },
  })
  // A browser drops what was asked while this worker was still opening its key.
  answer({ hailstone: 'sign', id: ADDRESS_ID, request: 'address', parameters: undefined })
  return stop
}

type Outcome = Pick<SignerAnswer, 'result' | 'derivesNonces' | 'error'>

async function outcomeOf(signer: Signer, { request, parameters }: SignerQuestion): Promise<Outcome> {
  try {
    if (request === 'address')
      return { result: signer.address, derivesNonces: signer.deriveNonce !== undefined }
    if (request === 'deriveNonce') return { result: await signer.deriveNonce?.(parameters as never) }
    return { result: await signer[request](parameters as never) }
  } catch (error) {
    return { error: carriedError(error) }
  }
}
