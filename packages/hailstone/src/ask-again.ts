import { setTimeout } from 'node:timers/promises'
import { isNodeError } from '@hailstone/protocol'

/** Between two questions, in ms: a node that starts, or one of several behind an address, answers better soon. */
const PAUSES_MS = [500, 1_000, 2_000]

/** True for an answer that says that something is not there, or says nothing that can be read. */
const saysNothing = (error: unknown): boolean =>
  isNodeError(error, 'HTTP_STATUS') || isNodeError(error, 'RESPONSE_INVALID')

/**
 * Asks until there is something, four times within some seconds: that one answer has nothing says little about the
 * chain. What the last answer says, is returned or thrown.
 *
 * @param isPassing true for errors after which it is asked again. @default a status, or an answer that cannot be read
 */
export async function askAgain<T>(ask: () => Promise<T>, isPassing = saysNothing): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      const found = await ask()
      if (found !== undefined) return found
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await setTimeout(pauseMs)
  }
  return ask()
}
