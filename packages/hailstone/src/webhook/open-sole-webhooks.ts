import { join } from 'node:path'
import { takeFileLock } from '@hailstone/runtime/node'
import { CommandFailure } from '../command-failure.ts'
import { exits } from '../exit-codes.ts'
import type { AtEnd } from '../with-endings.ts'
import { openWebhooks, type Webhooks } from './open-webhooks.ts'

type SoleWebhooks = Parameters<typeof openWebhooks>[0] & {
  readonly atEnd: AtEnd
  /** Name of the lock in their folder. */
  readonly lock: string
  /** Returns the sentence about the process that has them, and what to do. */
  readonly held: (processId: number | null) => readonly [message: string, nextStep: string]
}

/**
 * Opens webhooks that one process at a time has, until its end.
 *
 * @throws {CommandFailure} while another one has them
 */
export async function openSoleWebhooks({
  atEnd,
  lock,
  held,
  ...parameters
}: SoleWebhooks): Promise<Webhooks> {
  const webhooks = await openWebhooks(parameters)
  atEnd(webhooks.delivery.stop)
  keepLock(await takeFileLock(join(webhooks.folder, lock)), { atEnd, held })
  return webhooks
}

/**
 * Keeps a lock until the end.
 *
 * @throws {CommandFailure} if another process has it
 */
export function keepLock(
  taken: Awaited<ReturnType<typeof takeFileLock>>,
  { atEnd, held }: Pick<SoleWebhooks, 'atEnd' | 'held'>,
): void {
  if ('release' in taken) {
    atEnd(taken.release)
    return
  }
  const [message, nextStep] = held(taken.processId)
  throw new CommandFailure(message, exits.keyInUse, nextStep)
}
