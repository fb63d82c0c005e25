import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const child = fileURLToPath(new URL('outlive-terminal-child.mjs', import.meta.url))

it('goes on under nohup when its window closes', async () => {
  const service = spawn('nohup', [process.execPath, child], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(service.stdout, 'data')
  // Of two that are pending the system delivers SIGHUP first.
  for (const signal of ['SIGHUP', 'SIGTERM'] as const) service.kill(signal)
  expect(await once(service, 'close')).toEqual([null, 'SIGTERM'])
})

const hasScript = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0

it.runIf(hasScript)('goes on when its terminal takes nothing, as after Ctrl-S', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-terminal-'))
  const mark = join(folder, 'mark')
  const line = `exec '${process.execPath}' '${child}' '${mark}'`
  // Nobody reads what `script` reads from the terminal.
  const terminal = spawn('script', ['-qfc', line, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    terminal.kill('SIGKILL')
    terminal.stdout.destroy()
    await once(terminal, 'close')
    rmSync(folder, { recursive: true })
  })
  await expect.poll(() => existsSync(mark), { timeout: 60_000 }).toBe(true)
})
