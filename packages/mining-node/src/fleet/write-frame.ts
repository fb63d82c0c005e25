import {
  formatHail,
  formatPublication,
  hailHash,
  keystoreError,
  publicationText,
  type Signature,
  type VerifyText,
} from '@hailstone/protocol'
import { checkedSignature, notSignedBy } from '../session/checked-signature.ts'
import type { FleetSigner, MiningTerms, SigningTask } from './signer-pool.ts'

/**
 * Signs one task and writes the frame that is sent. At once, when the signer answers at once.
 *
 * @param verify checks the answer, of which the signature alone is used; undefined for a wallet of these packages
 * @throws {NodeError} as the functions of a wallet; `SIGNER_FAILED` for a signature that is not valid
 */
export function writeFrame(
  signer: FleetSigner,
  terms: MiningTerms,
  task: SigningTask,
  verify?: VerifyText,
): string | Promise<string> {
  const { address } = signer
  const checked = (answer: unknown, text: string): Signature => {
    const signature = verify && checkedSignature(answer, { text, address, verify })
    if (!signature) throw keystoreError('SIGNER_FAILED', { reason: notSignedBy(address) })
    return signature
  }
  if (task.kind === 'hail') {
    const { host } = task
    if (verify === undefined) return whenThere(signer.signHail({ ...terms, host }), formatHail)
    const message = { address, hash: hailHash(host), ...terms }
    return whenThere(signer.signHail({ ...terms, host }), (hail) =>
      formatHail({ ...message, signature: checked(hail, message.hash) }),
    )
  }
  const { microblockHash, keyBlockHash } = task
  const message = { ...terms, microblockHash, keyBlockHash }
  const answer = signer.signPublication({ ...message })
  if (verify === undefined) return whenThere(answer, formatPublication)
  const text = publicationText(message)
  return whenThere(answer, (given) =>
    formatPublication({ ...message, address, signature: checked(given, text) }),
  )
}

/** Writes an answer at once, or when it comes: a promise may be of another realm or library. */
const whenThere = <T>(answer: T | Promise<T>, write: (answer: T) => string): string | Promise<string> =>
  typeof Object(answer).then === 'function' ? Promise.resolve(answer).then(write) : write(answer as T)
