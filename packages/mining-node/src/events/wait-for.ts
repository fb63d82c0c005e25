import { assertArgument, eventError } from '@hailstone/protocol'
import { abortReason, throwIfAborted } from '@hailstone/runtime'
import { assertFunction } from '../assert-listens.ts'
import type { MiningEvent, MiningEvents } from '../events.ts'
import type { MiningNode } from '../mining-node.ts'
import { assertSource } from './assert-source.ts'

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const optionNames = ['where', 'timeoutMs', 'signal']

/**
 * Resolves with the next event of that name, or with the first one that `where` accepts. Events of before the call do
 * not count. What `where` throws rejects.
 *
 * @throws {NodeError} `EVENT_TIMEOUT`; `ARGUMENT_INVALID`, at once, for an option of another name, such as `timeout`;
 *   the signal's reason
 * @example
 * const { amount } = await waitFor(node, 'rewarded', { timeoutMs: 60_000 })
 */
export function waitFor<E extends MiningEvent>(
  node: Pick<MiningNode, 'on'>,
  event: E,
  options: {
    /** True for the event that is waited for. @default the next one of that name */
    readonly where?: ((given: MiningEvents[E]) => boolean | Promise<boolean>) | undefined
    /** @default none: it waits as long as it takes */
    readonly timeoutMs?: number | undefined
    readonly signal?: AbortSignal | undefined
  } = {},
): Promise<MiningEvents[E]> {
  return new Promise((resolve, reject) => {
    assertSource(node)
    assertArgument(Object(options) === options, 'of waitFor', 'an object, such as { timeoutMs }', options)
    const { where, timeoutMs, signal } = options
    const other = Object.keys(options).find((name) => !optionNames.includes(name))
    assertArgument(other === undefined, 'of waitFor', `named ${optionNames.join(' or ')}`, other)
    if (where !== undefined) assertFunction(where, 'where')
    const isTime = timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs >= 0)
    assertArgument(isTime, 'timeoutMs', 'a number of milliseconds', timeoutMs)
    throwIfAborted(signal)
    const settle = (end: () => void): void => {
      leave()
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      end()
    }
    const onAbort = (): void => settle(() => reject(abortReason(signal)))
    const leave = node.on(event, (given) => {
      const isIt = async (): Promise<void> => {
        if (where === undefined || (await where(given))) settle(() => resolve(given))
      }
      isIt().catch((error: unknown) => settle(() => reject(error)))
    })
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => settle(() => reject(eventError('EVENT_TIMEOUT', { event, timeoutMs }))),
            Math.min(timeoutMs, LONGEST_TIMER_MS),
          )
    signal?.addEventListener('abort', onAbort)
  })
}
