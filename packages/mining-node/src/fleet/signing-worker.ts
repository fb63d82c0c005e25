import { parentPort, workerData } from 'node:worker_threads'
import { defaultEcdsa, keystoreError, NodeError } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { openKey, type SentError, sendError } from './fleet-keys.ts'
import type { FleetSigner, SigningTask } from './signer-pool.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from './thread-messages.ts'
import { writeFrame } from './write-frame.ts'

/** One signing thread: keys come in, frames go out, keys never do. */
const { terms } = workerData as ThreadSettings
const ecdsa = (await findAcceleratedEcdsa()) ?? defaultEcdsa
const signers = new Map<number, FleetSigner>()

const answer = (given: ThreadAnswer): void => parentPort?.postMessage(given)

function load(index: number, text: string): readonly [number, string | SentError] {
  const signer = openKey(text, ecdsa)
  if (signer instanceof NodeError) return [index, sendError(signer)]
  signers.set(index, signer)
  return [index, signer.address]
}

function sign(id: number, key: number, task: SigningTask): readonly [number, string | SentError] {
  const signer = signers.get(key)
  if (signer === undefined)
    return [id, sendError(keystoreError('SIGNER_FAILED', { reason: 'there is no such key' }))]
  try {
    // Wallets of keys answer at once.
    return [id, writeFrame(signer, terms, task) as string]
  } catch (error) {
    return [id, sendError(error)]
  }
}

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.type === 'keys') {
    answer({ type: 'loaded', addresses: order.keys.map(([index, text]) => load(index, text)) })
  } else if (order.type === 'sign') {
    answer({ type: 'signed', frames: order.tasks.map(([id, key, task]) => sign(id, key, task)) })
  } else {
    const answers = order.questions.map((question) => ecdsa.verifyText(question))
    answer({ type: 'verified', id: order.id, answers })
  }
})

answer({ type: 'ready', arithmetic: ecdsa.name })
