import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DemoOptions } from '../src/options.mjs'

const entry = new URL('../dist/main.js', import.meta.url).href
const parents = new URL('../dist/parents.mjs', import.meta.url).href

/** The built demo with ports of its own, as `start.mjs` runs it. */
const program = (options: Partial<DemoOptions>): string => {
  const all = {
    apiPort: 0,
    gatewayPort: 0,
    samplePort: 0,
    appPort: 0,
    blockTimeMs: 500,
    reset: false,
    exitAfterReward: false,
    timeLimitMs: 60_000,
    ...options,
  }
  return `
    const { rememberParents } = await import(${JSON.stringify(parents)})
    const isAlone = rememberParents()
    const { main } = await import(${JSON.stringify(entry)})
    const ended = main(${JSON.stringify(all)}, { isAlone })
    // Signals are heard from here on.
    console.log('process ' + process.pid)
    process.exitCode = await ended
  `
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export type RunningDemo = {
  readonly child: ChildProcess
  /** Everything that was printed. */
  readonly output: () => string
  readonly printed: (what: RegExp) => Promise<RegExpExecArray>
  readonly exitCode: Promise<number | null>
}

const env = { ...process.env, npm_lifecycle_event: 'start' }
const root = fileURLToPath(new URL('../../..', import.meta.url))

function followed(child: ChildProcess): RunningDemo {
  let text = ''
  const collect = (chunk: Buffer): void => {
    text += chunk.toString('utf8')
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const exitCode = once(child, 'close').then(([code]) => code as number | null)
  async function printed(what: RegExp): Promise<RegExpExecArray> {
    const end = performance.now() + 240_000
    for (;;) {
      const found = what.exec(text)
      if (found !== null) return found
      if (performance.now() > end || child.exitCode !== null)
        throw new Error(`waited in vain for ${what}; it printed:\n${text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { child, output: () => text, printed, exitCode }
}

/** With its output in pipes. */
export const startDemo = (options: Partial<DemoOptions>): RunningDemo =>
  followed(
    spawn(process.execPath, ['--input-type=module', '-e', program(options)], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

/** A script of its own. */
export const runScript = (file: string, more: Readonly<Record<string, string>>): RunningDemo =>
  followed(
    spawn(process.execPath, [file], { env: { ...process.env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] }),
  )

/**
 * Starts the demo as the child of a process that can be killed, with or without a shell between the two, as npm does.
 */
export function startOrphan(options: Partial<DemoOptions>, between: 'a shell' | 'nothing'): RunningDemo {
  const words = [process.execPath, '--input-type=module', '-e', program(options)]
  const shell = ['sh', '-c', `${words.map(quoted).join(' ')}; exit $?`]
  const [command, ...parameters] = between === 'nothing' ? words : shell
  const parent = `
    const { spawn } = await import('node:child_process')
    spawn(${JSON.stringify(command)}, ${JSON.stringify(parameters)}, { stdio: 'inherit' })
    setInterval(() => undefined, 1e9)
  `
  return followed(
    spawn(process.execPath, ['--input-type=module', '-e', parent], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** In a terminal of its own, whose keys are typed through stdin. */
export function startDemoInTerminal(
  options: Partial<DemoOptions>,
  { columns, rows }: { readonly columns: number; readonly rows: number } = { columns: 100, rows: 40 },
): RunningDemo {
  const words = [process.execPath, '--input-type=module', '-e', program(options)].map(quoted).join(' ')
  return followed(
    spawn('script', ['-qefc', `stty cols ${columns} rows ${rows}; exec ${words}`, '/dev/null'], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
}

/** A data folder that is removed afterwards. */
export async function dataFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'hailstone-demo-'))
  const folder = join(parent, 'chain')
  return {
    folder,
    isLocked: () => existsSync(join(folder, 'lock')),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

/** A process that has ended and that nobody asked about counts as ended. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    const path = `/proc/${processId}/stat`
    return !existsSync(path) || !/\) Z /.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}
