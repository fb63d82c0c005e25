import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach } from 'vitest'

const script = fileURLToPath(new URL('lock-child.mjs', import.meta.url))

/** True if this system lets the tests make namespaces. */
export const hasNamespaces: boolean =
  spawnSync('unshare', ['-pfn', '--mount-proc', '--kill-child', 'true']).status === 0

export type Child = {
  readonly process: ChildProcess
  /** The next line that it prints, as JSON. */
  readonly line: () => Promise<Record<string, unknown>>
  readonly kill: () => Promise<void>
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

/** Starts a process with a lock; with `unshare`, in namespaces of its own that these arguments choose. */
export function start(
  parameters: readonly string[],
  { unshare }: { readonly unshare?: readonly string[] } = {},
): Child {
  const command = [process.execPath, script, ...parameters]
  const whole =
    unshare === undefined ? command : ['unshare', ...unshare, '--mount-proc', '--kill-child', ...command]
  const child = spawn(whole[0] as string, whole.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
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
  }
}
