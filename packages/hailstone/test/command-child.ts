import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { factsText } from '@hailstone/mining-node/health'
import { until } from '../../mining-node/test/until.ts'
import { runCommand } from '../src/run-command.ts'
import type { Terminal } from '../src/terminal.ts'
import { UsageError } from '../src/usage-error.ts'
import { checkLine } from './check-line.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** A command while it runs. */
type Running = {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Lines of JSON so far. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[]
  readonly ended: Promise<Ended>
  /** Waits for a line of JSON with that event. */
  readonly event: (name: string, timeoutMs?: number) => Promise<Readonly<Record<string, unknown>>>
}

/** A folder to run commands in, which remembers everything they ever said. */
export type CommandWorld = AsyncDisposable & {
  readonly folder: string
  readonly keyFile: (name: string, text: string, mode?: number) => Promise<string>
  readonly start: (args: readonly string[], options?: RunOptions) => Running
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>
  /**
   * Runs a command in this process, which costs no start of a program. For one that ends by itself and is asked for its
   * answer, not for its streams, signals or locks.
   */
  readonly runHere: (args: readonly string[], options?: RunOptions) => Promise<Ended>
  /** All output of all commands so far, and every file they have written into the data folder. */
  readonly everything: () => Promise<string>
  /** Waits until a condition holds; the error ends with the last lines of the commands that run, or ran last. */
  readonly until: (holds: () => unknown, what: string, timeoutMs?: number) => Promise<void>
}

const jsonLines = (out: string): readonly Readonly<Record<string, unknown>>[] =>
  out
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))

type RunOptions = {
  readonly input?: string | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
}

const nobodyIsThere = (): Promise<never> => Promise.reject(new UsageError('There is no terminal to ask in.'))

/** @param more lines about the surroundings, for the errors of `until`. @default none */
export async function createCommandWorld(more: () => readonly string[] = () => []): Promise<CommandWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-command-'))
  const data = join(folder, 'data')
  const said: string[] = []
  const children = new Set<ChildProcess>()
  const started: { readonly child: ChildProcess; readonly name: string; readonly text: () => string }[] = []

  function start(args: readonly string[], { input, environment = {} }: RunOptions = {}): Running {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, HAILSTONE_DATA: data, ...environment }
    const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    children.add(child)
    let out = ''
    let err = ''
    started.push({ child, name: String(args[0]), text: () => out + err })
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      err += String(chunk)
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('close', (code) => {
        children.delete(child)
        said.push(out, err)
        try {
          if (args.includes('--json')) for (const line of jsonLines(out)) checkLine(line)
          resolve({ code, out, err })
        } catch (error) {
          reject(error)
        }
      })
    })
    const lines = () => jsonLines(out)
    const event = async (name: string, timeoutMs = 60_000) => {
      const find = () => lines().find((line) => line.event === name)
      await until(() => find() !== undefined || child.exitCode !== null, `the event ${name} comes`, timeoutMs)
      const found = find()
      if (found === undefined) throw new Error(`it ended before ${name}: ${err}${out}`)
      return found
    }
    return { process: child, out: () => out, err: () => err, lines, ended, event }
  }

  async function runHere(
    args: readonly string[],
    { input = '', environment = {} }: RunOptions = {},
  ): Promise<Ended> {
    let [out, err] = ['', '']
    const write = (text: string): void => {
      out += text
    }
    const code = await runCommand(
      args,
      ({ isJson }): Terminal => ({
        ...{ manner: isJson ? 'json' : 'plain', hasColours: false, columns: () => 80, rows: () => 24 },
        write,
        say: (line) => write(`${line}\n`),
        tell: (facts) =>
          write(factsText('event' in facts ? { at: new Date().toISOString(), ...facts } : facts)),
        warn: (line) => {
          err += `${line}\n`
        },
        ...{ readInput: async () => input, askSecret: nobodyIsThere, ask: nobodyIsThere },
        environment: { HOME: folder, HAILSTONE_DATA: data, ...environment },
      }),
    )
    said.push(out, err)
    if (args.includes('--json')) for (const line of jsonLines(out)) checkLine(line)
    return { code, out, err }
  }

  const lastLines = (): readonly string[] =>
    started.slice(-2).flatMap(({ child, name, text }) => {
      const end = child.exitCode ?? child.signalCode
      const lines = text().trimEnd().split('\n').slice(-3)
      return [`${name}, ${end === null ? 'running' : `ended with ${end}`}:`, ...lines]
    })

  async function filesIn(path: string): Promise<readonly string[]> {
    const names = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = names.filter((entry) => entry.isFile())
    return Promise.all(
      files.map((entry) => readFile(join(entry.parentPath ?? entry.path, entry.name), 'latin1')),
    )
  }

  return {
    folder,
    start,
    run: (args, options) => start(args, options).ended,
    runHere,
    keyFile: async (name, text, mode = 0o600) => {
      const path = join(folder, name)
      await writeFile(path, `${text}\n`, { mode })
      return path
    },
    until: (holds, what, timeoutMs) =>
      until(holds, what, timeoutMs).catch((error: unknown) => {
        throw new Error(
          [error instanceof Error ? error.message : String(error), ...more(), ...lastLines()].join('\n'),
        )
      }),
    everything: async () => [...said, ...(await filesIn(data))].join('\n'),
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
