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
    return hail instanceof Promise ? hail.then(formatHail) : formatHail(hail)
  }
  const { microblockHash, keyBlockHash } = task
  const publication = signer.signPublication({ ...terms, microblockHash, keyBlockHash })
  return publication instanceof Promise ? publication.then(formatPublication) : formatPublication(publication)
}
