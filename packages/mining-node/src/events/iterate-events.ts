import { assertArgument, eventError } from '@hailstone/protocol'
import { abortReason } from '@hailstone/runtime'
import type { MiningEvent, MiningEvents } from '../events.ts'
import type { MiningNode } from '../mining-node.ts'
import { assertSource } from './assert-source.ts'

/** An event with its name, which tells what is `given`. */
export type NamedEvent<E extends MiningEvent = MiningEvent> = {
  readonly [N in E]: { readonly name: N; readonly given: MiningEvents[N] }
}[E]

type Taker<T> = {
  readonly resolve: (result: IteratorResult<T>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns the events of these names, from the call on, for a `for await`. They wait in order until they are taken.
 * Leaving the loop ends it; so does the signal, with its reason.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`; `EVENTS_DROPPED` after the last of the events that were kept, when more waited than the limit
 * @example
 * for await (const { name, given } of events(node, ['rewarded', 'stopped'])) …
 */
export function events<E extends MiningEvent>(
  node: Pick<MiningNode, 'on'>,
  names: E | readonly E[],
  options: {
    readonly signal?: AbortSignal | undefined
    /** Events that may wait to be taken. @default 1024 */
    readonly limit?: number | undefined
  } = {},
): AsyncIterableIterator<NamedEvent<E>> & AsyncDisposable {
  assertSource(node)
  assertArgument(Object(options) === options, 'of events', 'an object, such as { signal }', options)
  const { signal, limit = 1_024 } = options
  assertArgument(typeof limit === 'number' && limit >= 0, 'limit', 'a number of events', limit)
  const isList = typeof names === 'string' || (Array.isArray(names) && names.length > 0)
  assertArgument(isList, 'names', 'the name of an event, or a list of them', names)
  let waiting: NamedEvent<E>[] = []
  let takers: Taker<NamedEvent<E>>[] = []
  /** Set when nothing follows; `failure` then ends the loop after what waits. */
  let isOver = false
  let failure: { readonly error: unknown } | null = null

  const listed = (typeof names === 'string' ? [names] : names) as readonly E[]
  const leaves = [...new Set(listed)].map((name) =>
    node.on(name, (given) => take({ name, given } as unknown as NamedEvent<E>)),
  )

  function take(event: NamedEvent<E>): void {
    const taker = takers.shift()
    if (taker !== undefined) taker.resolve({ done: false, value: event })
    else if (waiting.length < limit) waiting.push(event)
    else end({ error: eventError('EVENTS_DROPPED', { limit }) })
  }

  function end(why: typeof failure): void {
    if (isOver) return
    isOver = true
    failure = why
    for (const leave of leaves) leave()
    signal?.removeEventListener('abort', onAbort)
    const left = takers
    takers = []
    for (const taker of left) settle(taker)
  }

  /** Ends one pending `next()`: the first one rejects with the failure, if there is one, the others are done. */
  function settle({ resolve, reject }: Taker<NamedEvent<E>>): void {
    const why = failure
    failure = null
    if (why === null) resolve({ done: true, value: undefined })
    else reject(why.error)
  }

  function onAbort(): void {
    waiting = []
    end({ error: abortReason(signal) })
  }

  const close = async (): Promise<IteratorReturnResult<undefined>> => {
    waiting = []
    end(null)
    failure = null
    return { done: true, value: undefined }
  }

  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()

  return {
    next: () =>
      new Promise((resolve, reject) => {
        const value = waiting.shift()
        if (value !== undefined) resolve({ done: false, value })
        else if (isOver) settle({ resolve, reject })
        else takers.push({ resolve, reject })
      }),
    return: close,
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => {
      await close()
    },
  }
}
