import type { FromEngine, ToEngine } from '../engine/engine-messages.ts'
import { addressOf, type EngineState, type PlainError } from '../engine/engine-state.ts'
import { changeRemembered } from './remembered-accounts.ts'

/** A call to the engine failed. Match on `code`. */
class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>

  constructor({ code, message, facts }: PlainError) {
    super(message)
    this.code = code
    this.facts = facts
  }
}

/** Returns the error code; `UNKNOWN` for errors of neither the engine nor the library. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'

/** Returns the facts of an error of the engine; none for others. */
export const factsOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof EngineError ? error.facts : {}

/** Connection to the worker of this tab. */
export type EngineConnection = {
  /** Null until the first state arrived. */
  readonly state: () => EngineState | null
  /** The last error, if the engine has sent nothing since; otherwise null. */
  readonly fault: () => PlainError | null
  readonly subscribe: (listener: () => void) => () => void
  /** @param signal the worker drops the call if it is aborted before the call has its effect; answered in any case */
  readonly call: (name: string, parameters?: unknown, signal?: AbortSignal) => Promise<unknown>
  readonly send: (message: ToEngine) => void
  /** Ends the worker at once, which frees the lock of the leading tab. Nothing is answered afterwards. */
  readonly terminate: () => void
}

/** Pause between two requests for a sign of life, in ms, and how many of them a running engine may leave unanswered. */
const PING_MS = 10_000
const MOST_UNANSWERED = 3

const SILENT: PlainError = { code: 'WORKER_SILENT', message: 'The engine does not answer.', facts: {} }

/** Returns a state with the last snapshot of its account while the next node is being opened: its views stay. */
function withSnapshot(next: EngineState, last: EngineState | null): EngineState {
  const isSame = last !== null && addressOf(next.account) === addressOf(last.account)
  return next.snapshot === null && isSame ? { ...next, snapshot: last.snapshot } : next
}

export function connectEngine(worker: Worker): EngineConnection {
  const listeners = new Set<() => void>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let state: EngineState | null = null
  let fault: PlainError | null = null
  let lastId = 0
  let unanswered = 0

  const publish = (): void => {
    for (const listener of listeners) listener()
  }

  function receive(message: FromEngine): void {
    unanswered = 0
    if (message.type === 'broken') {
      fault = message.error
      publish()
      return
    }
    // Any message shows that the engine runs again.
    const isBack = fault !== null
    fault = null
    if (message.type === 'state') state = withSnapshot(message.state, state)
    if (message.type === 'state' || isBack) publish()
    if (message.type === 'remember') changeRemembered(message.vaultName, message)
    if (message.type !== 'answer' && message.type !== 'failure') return
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'answer') asker?.resolve(message.value)
    else asker?.reject(new EngineError(message.error))
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => receive(data))
  worker.addEventListener('error', ({ message }) => {
    fault = { code: 'WORKER_FAILED', message, facts: {} }
    publish()
  })
  const send = (message: ToEngine): void => worker.postMessage(message)

  /** Pings the engine. If it does not answer in time, all open calls reject and the page shows that it is silent. */
  function ping(): void {
    if (state === null) return
    send({ type: 'ping' })
    if (unanswered++ < MOST_UNANSWERED) return
    fault = SILENT
    for (const { reject } of waiting.values()) reject(new EngineError(SILENT))
    waiting.clear()
    publish()
  }
  const pings = setInterval(ping, PING_MS)
  return {
    state: () => state,
    fault: () => fault,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    call: (name, parameters, signal) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        const cancel = (): void => (waiting.has(id) ? send({ type: 'cancel', id }) : undefined)
        signal?.addEventListener('abort', cancel, { once: true })
        // The worker refuses what a page asks of one account once another is active.
        const account = state === null ? undefined : addressOf(state.account)
        send({ type: 'call', id, name, parameters, account })
        if (signal?.aborted) cancel()
      }),
    send,
    terminate: () => {
      clearInterval(pings)
      worker.terminate()
    },
  }
}
