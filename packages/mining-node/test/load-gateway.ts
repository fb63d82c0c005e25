import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

type Answer = Readonly<Record<string, number | string | null>>

/** The gateway process of `fleet-gateway.mjs`. */
export type LoadGateway = AsyncDisposable & {
  readonly url: string
  readonly ask: (type: string, parameters?: object) => Promise<Answer>
}

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }

function asker(child: ChildProcess): LoadGateway['ask'] {
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  child.on('message', ({ id, answer, error }: { id: number; answer?: Answer; error?: string }) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (answer === undefined) asked?.reject(new Error(error))
    else asked?.resolve(answer)
  })
  return (type, parameters = {}) =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      child.send({ id, type, ...parameters })
    })
}

export async function startLoadGateway(): Promise<LoadGateway> {
  const script = fileURLToPath(new URL('fleet-gateway.mjs', import.meta.url))
  const child = fork(script, { execArgv: [] })
  const ask = asker(child)
  const { url } = await ask('listen')
  return {
    url: String(url),
    ask,
    [Symbol.asyncDispose]: async () => {
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
