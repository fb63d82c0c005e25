import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChainStore } from '../src/store/index.ts'
import { expectReplay } from './replay.ts'

const packageFolder = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const bin = join(packageFolder('local-network'), 'dist', 'bin.js')

async function newest(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
  const times = await Promise.all(
    sources.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}

/** The command runs what is built; it is built anew when the sources have changed since. */
async function build(name: string): Promise<void> {
  const [source, output] = ['src', 'dist'].map((folder) => join(packageFolder(name), folder))
  const built = await newest(String(output)).catch(() => 0)
  if (built > (await newest(String(source)))) return
  const compiler = join(packageFolder(name), 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(compiler, ['-p', 'tsconfig.build.json'], { cwd: packageFolder(name) })
}

type Run = {
  readonly child: ChildProcess
  /** Height it began with, once it says so. */
  readonly began: Promise<number | null>
  /** The greatest height it has told. */
  readonly told: () => number
  readonly errors: () => string
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

function run(...args: string[]): Run {
  const child = spawn(process.execPath, [bin, '--port', '0', '--gateway-port', '0', ...args])
  let told = -1
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const began = new Promise<number | null>((resolve) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      const start = /^ {2}Height +(\d+)$/.exec(line)?.[1]
      const closed = /^macroblock (\d+) closed/.exec(line)?.[1]
      if (start !== undefined) resolve(Number(start))
      told = Math.max(told, Number(start ?? -1), Number(closed ?? -2) + 1)
    })
    lines.on('close', () => resolve(null))
  })
  // `close` comes after the last line was read, `exit` may come before it.
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, began, told: () => told, errors: () => errors, ended }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  await build('protocol')
  await build('local-network')
}, 60_000)

describe('the command', () => {
  test('shows its help', async () => {
    expect(await run('--help').ended).toBe(0)
  })

  test('ends with code 2 and a sentence when a flag is wrong', async () => {
    const wrong = run('--block-time', 'soon')
    expect(await wrong.ended).toBe(2)
    expect(wrong.errors()).toContain('--block-time')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('ends with code 0 after %s', async (signal) => {
    const started = run('--memory', '--block-time', '100ms')
    expect(await started.began).toBe(0)
    started.child.kill(signal)
    expect(await started.ended).toBe(0)
    expect(started.errors()).toBe('')
  })
})

describe('kill -9', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hailstone-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('at ten random moments loses at most the macroblock that was being stored, and never half of one', async () => {
    let height = 0
    for (let kill = 0; kill < 10; kill++) {
      const started = run('--data', folder, '--seed', 'kill', '--block-time', '100ms')
      // Some die while they start.
      if (kill % 3 === 2) await pause(Math.random() * 900)
      else {
        const began = (await started.began) ?? Number.NaN
        expect(began).toBeGreaterThanOrEqual(height)
        expect(began).toBeLessThanOrEqual(height + 1)
        // However slow the machine is, some of them live long enough to store macroblocks.
        if (kill % 3 === 0) while (started.told() < began + 2) await pause(20)
        await pause(Math.random() * 500)
      }
      started.child.kill('SIGKILL')
      expect(await started.ended).toBe('SIGKILL')
      expect(started.errors()).toBe('')
      height = Math.max(height, started.told())
    }
    const store = await openChainStore({ folder })
    try {
      const replayed = await expectReplay(store, 'kill')
      expect(replayed).toBeGreaterThanOrEqual(height)
      expect(replayed).toBeLessThanOrEqual(height + 1)
      expect(replayed).toBeGreaterThan(3)
    } finally {
      await store.close()
    }
  }, 60_000)
})
