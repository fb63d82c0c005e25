import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach } from 'vitest'

export const script = fileURLToPath(new URL('lock-child.mjs', import.meta.url))

/** True if this system lets the tests make namespaces. */
export const hasNamespaces: boolean =
  spawnSync('unshare', ['-pfn', '--mount-proc', '--kill-child', 'true']).status === 0

const withoutSockets = [
  'python3',
  fileURLToPath(new URL('without-unix-sockets.py', import.meta.url)),
] as const
const withoutKernelFacts = [
  'unshare',
  '-m',
  'sh',
  '-c',
  'mount -t proc -o subset=pid,hidepid=invisible proc /proc && exec "$@"',
  'sh',
] as const

/**
 * What units of systemd take away, as the beginning of a command: Unix sockets (`RestrictAddressFamilies=`), and the
 * facts about the kernel in /proc (`ProcSubset=pid`).
 */
export const hardenings = {
  'without Unix sockets': withoutSockets,
  'without the facts of the kernel': withoutKernelFacts,
  'without both': [...withoutKernelFacts, ...withoutSockets],
} satisfies Record<string, readonly string[]>

/** True if this system lets the tests take such things away. */
export const canHarden: boolean = Object.values(hardenings).every(
  ([command, ...rest]) => spawnSync(command, [...rest, 'true']).status === 0,
)

export type Child = {
  readonly process: ChildProcess
  /** The next line that it prints, as JSON. */
  readonly line: () => Promise<Record<string, unknown>>
  readonly kill: () => Promise<void>
  /** All that it wrote to standard error so far. */
  readonly said: () => string
}

const children: ChildProcess[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-lock-'))
  folders.push(folder)
  return folder
}

/**
 * Starts a process with a lock.
 *
 * @param options.unshare arguments that choose namespaces of its own
 * @param options.under beginning of the command
 */
export function start(
  parameters: readonly string[],
  { unshare, under = [] }: { readonly unshare?: readonly string[]; readonly under?: readonly string[] } = {},
): Child {
  const command = [...under, process.execPath, script, ...parameters]
  const whole =
    unshare === undefined ? command : ['unshare', ...unshare, '--mount-proc', '--kill-child', ...command]
  const child = spawn(whole[0] as string, whole.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    process: child,
    line: async () => {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('it ended without a line')
      return JSON.parse(value) as Record<string, unknown>
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    said: () => said,
  }
}
