import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './document-commands.ts'

const LIMIT_MS = 1_800_000
const END_WITHIN_MS = 30_000

/** Environment of somebody with an empty home, but for what npm and pnpm downloaded before. */
export function newUser(home: string): NodeJS.ProcessEnv {
  mkdirSync(home, { recursive: true })
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      name === 'HAILSTONE_CHROMIUM' || !/^(?:npm_|pnpm_|hailstone_|node_|vitest|vite_|init_cwd)/i.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    HOME: home,
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    XDG_DATA_HOME: process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'),
  }
}

const running = new Set<ChildProcess>()

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch {
    // It has ended.
  }
}

const endOf = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

/** Ends what still runs, as Ctrl-C does, and kills what does not end. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      signal(child, 'SIGINT')
      const timer = setTimeout(() => signal(child, 'SIGKILL'), END_WITHIN_MS)
      await endOf(child)
      clearTimeout(timer)
      running.delete(child)
    }),
  )
}

/**
 * Runs a line of a shell. Resolves with what it printed: once it ended with 0, or once that matches `until`; then it
 * goes on until `endAll`.
 *
 * @throws {Error} with its output when it ends otherwise, or not in half an hour
 */
export async function runLine(
  line: string,
  {
    cwd,
    env,
    until,
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly until?: RegExp | undefined },
): Promise<string> {
  // A group of its own, so that what it starts ends with it.
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let printed = ''
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${line}\n${why}\n${printed.slice(-6_000)}`))
    const timer = setTimeout(() => fail('not in half an hour'), LIMIT_MS)
    const look = (chunk?: Buffer): void => {
      printed += chunk?.toString() ?? ''
      if (until?.test(printed) !== true) return
      clearTimeout(timer)
      resolve(printed)
    }
    look()
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('close', (code, name) => {
      clearTimeout(timer)
      running.delete(child)
      if (until === undefined && code === 0) resolve(printed)
      else fail(`it ended with ${name ?? code}`)
    })
  })
}
