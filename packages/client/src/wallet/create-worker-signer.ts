import {
  type Address,
  assertArgument,
  type Hail,
  isAddress,
  keystoreError,
  type NodeError,
  type Publication,
  type Transaction,
} from '@hailstone/protocol'
import type { Signer } from './signer.ts'
import {
  ADDRESS_ID,
  isSignerAnswer,
  restoredError,
  type SignerQuestion,
  type SignerRequest,
} from './signer-message.ts'
import { listen, type PortFault, type SignerPort } from './signer-port.ts'
import type { DeriveNonceParameters } from './wallet.ts'

/** Parameters of {@link createWorkerSigner}. */
export type CreateWorkerSignerParameters = {
  /** The worker, or the port that leads to it. It stays the caller's: who started it ends it. */
  readonly port: SignerPort
  /** For one signature, and for the worker to be ready. @default 10000 */
  readonly timeoutMs?: number | undefined
}

/** A signer whose key is in a worker. */
export type WorkerSigner = Signer & {
  /** Stops listening to the worker; what is still asked is refused with `SIGNER_FAILED`. */
  readonly close: () => void
}

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: NodeError) => void }

/**
 * Signs through a worker that runs `serveSigner`, so that the key is never in this thread. Waits until the worker
 * says whose account it has.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; `SIGNER_FAILED` when the worker ends, or does not answer in time; what the signer there
 *   throws
 */
export async function createWorkerSigner(parameters: CreateWorkerSignerParameters): Promise<WorkerSigner> {
  const { port, timeoutMs = 10_000 } = Object(parameters) as CreateWorkerSignerParameters
  assertArgument(
    typeof timeoutMs === 'number' && timeoutMs > 0,
    'timeoutMs',
    'a number of milliseconds',
    timeoutMs,
  )
  const waiting = new Map<number, Waiting>()
  let next = ADDRESS_ID

  let gone: NodeError | undefined
  let derivesNonces = false

  const refuseAll = ({ reason, cause, isLast }: PortFault): void => {
    const error = keystoreError('SIGNER_FAILED', { reason }, { cause })
    if (isLast) gone ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const stop = listen(port, {
    onMessage: (message) => {
      if (!isSignerAnswer(message)) return
      const { id, result, error } = message
      if (message.derivesNonces === true) derivesNonces = true
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asked?.resolve(result)
      else asked?.reject(restoredError(error))
    },
    onFault: refuseAll,
  })

  const ask = async (request: SignerRequest, given?: unknown): Promise<unknown> => {
    if (gone !== undefined) throw gone
    const id = next
    next += 1
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        const late = keystoreError('SIGNER_FAILED', { reason: `it took longer than ${timeoutMs} ms` })
        timer = setTimeout(() => reject(late), timeoutMs)
        port.postMessage({ hailstone: 'sign', id, request, parameters: given } satisfies SignerQuestion)
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  const close = (): void => {
    stop()
    refuseAll({ reason: 'the signer was closed', cause: undefined, isLast: true })
  }
  const address = await addressOf(ask).catch((error: unknown) => {
    stop()
    throw error
  })
  return Object.freeze({
    address,
    signTransaction: (fields) => ask('signTransaction', fields) as Promise<Transaction>,
    signHail: (hail) => ask('signHail', hail) as Promise<Hail>,
    signPublication: (publication) => ask('signPublication', publication) as Promise<Publication>,
    ...(derivesNonces
      ? {
          deriveNonce: (parameters: DeriveNonceParameters) =>
            ask('deriveNonce', parameters) as Promise<number>,
        }
      : {}),
    close,
  } satisfies WorkerSigner)
}

async function addressOf(ask: (request: SignerRequest) => Promise<unknown>): Promise<Address> {
  const address = await ask('address')
  if (isAddress(address)) return address
  throw keystoreError('SIGNER_FAILED', { reason: 'the worker names no account' })
}
