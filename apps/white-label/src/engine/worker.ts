import { createEngine, type Engine } from './engine.ts'
import type { FromEngine, ToEngine } from './engine-messages.ts'
import { plainError } from './plain-error.ts'

type WorkerScope = {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null
  readonly postMessage: (message: FromEngine) => void
}

const scope = self as unknown as WorkerScope
const post = (message: FromEngine): void => scope.postMessage(message)
let engine: Promise<Engine> | null = null

scope.onmessage = ({ data }) => {
  if (data.type === 'open') {
    const { config, conditions } = data
    engine ??= createEngine({ config, conditions, post })
    engine.catch((error: unknown) => post({ type: 'broken', error: plainError(error) }))
    return
  }
  void engine?.then(({ receive }) => receive(data)).catch(() => undefined)
}
