import type { Engine } from './engine.ts'
import type { FromEngine, ToEngine } from './engine-messages.ts'

type WorkerScope = {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null
  readonly postMessage: (message: FromEngine) => void
}

const scope = self as unknown as WorkerScope
const post = (message: FromEngine): void => scope.postMessage(message)
let engine: Promise<Engine> | null = null

// The entry imports no values: code that lazily loaded chunks share with it would be placed in it, they would import
// the entry, and WebKit runs the entry of a worker a second time when a module imports it.
scope.onmessage = ({ data }) => {
  if (data.type === 'open') {
    const { config, conditions } = data
    engine ??= import('./engine.ts').then(({ createEngine }) => createEngine({ config, conditions, post }))
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
