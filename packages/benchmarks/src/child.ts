import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process that answers questions; it ends when its parent does. */
export type Child = {
  readonly ask: <T>(question: string, given?: unknown) => Promise<T>
  readonly end: () => Promise<void>
}

type Answer = { readonly id: number; readonly answer?: unknown; readonly error?: string | undefined }

/** @param file one of the files in contestants/, without ending */
export function startChild(file: string, execArgv: readonly string[] = []): Child {
  const path = fileURLToPath(new URL(`./contestants/${file}.js`, import.meta.url))
  const child: ChildProcess = fork(path, { execArgv: [...execArgv] })
  const waiting = new Map<number, { resolve: (given: never) => void; reject: (error: Error) => void }>()
  let nextId = 0
  child.on('message', (message) => {
    const { id, answer, error } = message as Answer
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(answer as never)
    else one?.reject(new Error(`${file}: ${error}`))
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended with code ${code}`))
  })
  return {
    ask: (question, given) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        child.send({ id, question, given } as Serializable)
      }),
    end: async () => {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

type Answers = Readonly<Record<string, (given: never) => unknown>>

/** Answers the requests of the parent process until the parent is gone. Called by the files in contestants/. */
export function answerParent(answers: Answers): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message) => {
    const { id, question, given } = message as { id: number; question: string; given: never }
    try {
      process.send?.({ id, answer: await answers[question]?.(given) })
    } catch (error) {
      process.send?.({ id, error: String(error instanceof Error ? error.stack : error) })
    }
  })
}
