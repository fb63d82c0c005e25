import { formatHail, formatPublication } from '@hailstone/protocol'
import type { FleetSigner, MiningTerms, SigningTask } from './signer-pool.ts'

/**
 * Signs one task and writes the frame that is sent. At once, when the signer answers at once.
 *
 * @throws {NodeError} as the functions of a wallet
 */
export function writeFrame(
  signer: FleetSigner,
  terms: MiningTerms,
  task: SigningTask,
): string | Promise<string> {
  if (task.kind === 'hail') {
    const hail = signer.signHail({ ...terms, host: task.host })
    return isLate(hail) ? Promise.resolve(hail).then(formatHail) : formatHail(hail)
  }
  const { microblockHash, keyBlockHash } = task
  const publication = signer.signPublication({ ...terms, microblockHash, keyBlockHash })
  return isLate(publication)
    ? Promise.resolve(publication).then(formatPublication)
    : formatPublication(publication)
}

/** A promise, also of another realm or library. */
const isLate = <T>(answer: T | Promise<T>): answer is Promise<T> => typeof Object(answer).then === 'function'
