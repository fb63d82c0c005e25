import type { Engine } from './engine.ts'
import type { FromEngine, ToEngine } from './engine-messages.ts'

type WorkerScope = {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null
  readonly postMessage: (message: FromEngine) => void
}

const scope = self as unknown as WorkerScope
const post = (message: FromEngine): void => scope.postMessage(message)
let engine: Promise<Engine> | null = null

// This entry imports no values: the bundler would place code shared with lazily loaded chunks in it, these would
// import the entry, and WebKit runs a worker's entry a second time when a module imports it.
scope.onmessage = ({ data }) => {
  if (data.type === 'open') {
    const { config, conditions, remembered } = data
    engine ??= import('./engine.ts').then(({ createEngine }) =>
      createEngine({ config, conditions, remembered, post }),
    )
    engine.catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      const { code = 'UNKNOWN', facts = {} } = error as Partial<{
        code: string
        facts: Record<string, unknown>
      }>
      post({ type: 'broken', error: { code, message, facts: { ...facts } } })
    })
    return
  }
  void engine?.then(({ receive }) => receive(data)).catch(() => undefined)
}
