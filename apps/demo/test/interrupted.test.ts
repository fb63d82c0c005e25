import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const git = (...parameters: string[]): string =>
  spawnSync('git', parameters, { cwd: root, encoding: 'utf8' }).stdout ?? ''

const isGroupAlive = (id: number): boolean => {
  try {
    return process.kill(-id, 0)
  } catch {
    return false
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

it.runIf(process.platform !== 'win32' && existsSync(join(root, '.git')))(
  'tests that Ctrl-C ends leave nothing in the tree and no process',
  async () => {
    const before = git('status', '--porcelain')
    const temporary = await mkdtemp(join(tmpdir(), 'hailstone-interrupted-'))
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', 'test/readme.test.ts'], {
      cwd: join(root, 'packages', 'mining-node'),
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'ignore',
      // A group of its own, as a shell gives to what it runs in the foreground.
      detached: true,
    })
    const ended = once(child, 'exit')
    const group = child.pid ?? 0
    while (
      !readdirSync(temporary).some((name) => name.startsWith('hailstone-readme-')) &&
      child.exitCode === null
    )
      await pause(10)
    expect(child.exitCode).toBe(null)
    process.kill(-group, 'SIGINT')
    await ended
    while (isGroupAlive(group)) await pause(20)
    expect(git('status', '--porcelain')).toBe(before)
    await rm(temporary, { recursive: true, force: true })
  },
)
