import { type ChildProcess, type Serializable, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process that answers questions. It ends when its parent does. */
export type Child = {
  readonly pid: number
  /** Rejects when the process fails to answer within `timeoutMs` (default 60,000) or ends before it answers. */
  readonly ask: <T>(question: string, given?: unknown, timeoutMs?: number) => Promise<T>
  /** True while the process runs. */
  readonly isRunning: () => boolean
  /** Ends the process, by force after five seconds. Idempotent. */
  readonly end: () => Promise<void>
}

type Answer = { readonly id: number; readonly answer?: unknown; readonly error?: string | undefined }

const FAREWELL_MS = 5000

export type ChildOptions = {
  /** Largest number of open files (`ulimit -n`). @default that of this process */
  readonly openFiles?: number | undefined
  readonly arguments?: readonly string[] | undefined
}

/** Starts a built file of this package, named from `dist/` without its ending. */
export function startChild(name: string, options: ChildOptions = {}): Child {
  const child = spawnNode(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), options)
  const waiting = new Map<number, { resolve: (given: never) => void; reject: (error: Error) => void }>()
  let nextId = 0
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  child.on('message', (message) => {
    const { id, answer, error } = message as Answer
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(answer as never)
    else one?.reject(new Error(`${name}: ${error}`))
  })
  child.on('error', () => {})
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${signal ?? code}`))
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    isRunning,
    ask: (question, given, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        if (!isRunning()) {
          reject(new Error(`${name} is not running`))
          return
        }
        const id = nextId++
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Error(`${name} did not answer "${question}" within ${timeoutMs} ms`))
        }, timeoutMs)
        const settled =
          <V>(settle: (value: V) => void) =>
          (value: V): void => {
            clearTimeout(timer)
            settle(value)
          }
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
        child.send({ id, question, given } as Serializable, (error) => {
          if (error) waiting.get(id)?.reject(error)
        })
      }),
    async end() {
      if (!isRunning()) return
      const ended = once(child, 'exit')
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), FAREWELL_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

function spawnNode(file: string, options: ChildOptions): ChildProcess {
  const { openFiles, arguments: given = [] } = options
  const command = [process.execPath, file, ...given] as const
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as ['ignore', 'inherit', 'inherit', 'ipc']
  if (openFiles === undefined) return spawn(command[0], command.slice(1), { stdio })
  return spawn('sh', ['-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command], { stdio })
}

type Answers = Readonly<Record<string, (given: never) => unknown>>

/** Answers the questions of the parent process until it is gone. */
export function answerParent(answers: Answers): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message) => {
    const { id, question, given } = message as { id: number; question: string; given: never }
    const reply = (answer: object): void => void process.send?.({ id, ...answer }, () => {})
    try {
      reply({ answer: await answers[question]?.(given) })
    } catch (error) {
      reply({ error: String(error instanceof Error ? error.stack : error) })
    }
  })
}
