import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { circle } from './good-brand.ts'

const bin = fileURLToPath(new URL('../bin/hailstone-brand.js', import.meta.url))

/** A brand whose program takes its time: when it is read, and when its edited copy is, in the middle of a write. */
const source = `import { writeFileSync } from 'node:fs'

const phase = import.meta.url.includes('.next.') ? 'writing' : 'reading'
writeFileSync(process.env.MARKS + '/' + phase, '')
if (process.env.SLOW === phase) await new Promise((done) => setTimeout(done, 700))
export default {
  schema: 1,
  id: 'acme',
  app: { name: 'Acme Mining', homepage: 'https://acme.example' },
  token: { hash: '${'ab'.repeat(32)}', ticker: 'ACME', decimals: 8 },
  network: { preset: 'custom', api: 'https://api.acme.example/api/v1', poa: ['wss://acme.example/'] },
  theme: { primary: '#3a6ea5' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
  environments: { dev: { app: { tagline: 'Dig' } }, staging: {} },
}
`

let cwd: string
let marks: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'interruption-'))
  marks = mkdtempSync(join(tmpdir(), 'marks-'))
  mkdirSync(join(cwd, 'assets'))
  for (const name of ['logo', 'icon']) writeFileSync(join(cwd, `assets/${name}.svg`), circle)
  writeFileSync(join(cwd, 'brand.ts'), source)
})
afterEach(() => {
  for (const folder of [cwd, marks]) rmSync(folder, { recursive: true, force: true })
})

class Running {
  readonly child: ChildProcess
  said = ''

  constructor(command: string, words: readonly string[], slow: string) {
    this.child = spawn(command, words, {
      cwd,
      stdio: 'pipe',
      env: { ...process.env, TERM: 'xterm', MARKS: marks, SLOW: slow },
    })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk) => {
        this.said += stripVTControlCharacters(String(chunk))
      })
  }

  async end(): Promise<readonly [code: number, said: string]> {
    const [code] = await once(this.child, 'close')
    return [Number(code), this.said.replaceAll('\r', '')]
  }
}

const command = (slow: string, ...words: readonly string[]) =>
  new Running(process.execPath, [bin, ...words], slow)
const terminal = (...words: readonly string[]) =>
  new Running(
    'script',
    ['-qec', `exec ${[process.execPath, bin, ...words].join(' ')}`, '/dev/null'],
    'writing',
  )
const staging = ['promote', '--to', 'staging'] as const

function expectUntouched(): void {
  expect(readFileSync(join(cwd, 'brand.ts'), 'utf8')).toBe(source)
  expect(readdirSync(cwd).toSorted()).toStrictEqual(['assets', 'brand.ts'])
}

describe('a command that is interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s before its write says that nothing was written', async (signal, wanted) => {
    const running = command('reading', ...staging, '--yes')
    await expect.poll(() => readdirSync(marks)).toContain('reading')
    running.child.kill(signal)
    const [code, said] = await running.end()
    expect([code, said]).toStrictEqual([wanted, '\nCancelled: nothing was written.\n'])
    expectUntouched()
  })

  it('by SIGINT in the middle of its write finishes that, and says that the file is written', async () => {
    const running = command('writing', ...staging, '--yes')
    await expect.poll(() => readdirSync(marks)).toContain('writing')
    running.child.kill('SIGINT')
    const [code, said] = await running.end()
    expect([code, said]).toStrictEqual([
      0,
      expect.stringContaining('brand.ts is written; the file before is'),
    ])
    expect(said).not.toContain('nothing was written')
    expect(readFileSync(join(cwd, 'brand.ts'), 'utf8')).toContain("staging: { app: { tagline: 'Dig' } }")
    expect(readFileSync(join(cwd, 'brand.ts.before'), 'utf8')).toBe(source)
    expect(readdirSync(cwd)).not.toContain('brand.next.ts')
  })

  describe.runIf(spawnSync('script', ['--version']).status === 0)('on a terminal', () => {
    it.each([
      ['Ctrl+C', '\x03', 130],
      ['Ctrl+D', '\x04', 1],
    ])('by %s at the question of promote says that nothing was written', async (_, key, wanted) => {
      const running = terminal(...staging)
      await expect.poll(() => running.said).toContain('(y/N)')
      running.child.stdin?.write(key)
      const [code, said] = await running.end()
      expect([code, said]).toStrictEqual([
        wanted,
        expect.stringMatching(/\nCancelled: nothing was written\.\n$/),
      ])
      expectUntouched()
    })

    it('by Ctrl+C after its yes finishes the write, and says so', async () => {
      const running = terminal(...staging)
      await expect.poll(() => running.said).toContain('(y/N)')
      running.child.stdin?.write('y\r')
      await expect.poll(() => readdirSync(marks)).toContain('writing')
      running.child.stdin?.write('\x03')
      const [code, said] = await running.end()
      expect([code, said]).toStrictEqual([0, expect.stringContaining('brand.ts is written')])
      expect(said).not.toContain('nothing was written')
      expect(readFileSync(join(cwd, 'brand.ts.before'), 'utf8')).toBe(source)
    })

    it.each([0, 3])('by Ctrl+C at question %i of new leaves nothing behind', async (at) => {
      const questions = ['Name of the app', 'Id, for folders', 'Network (', 'Token hash']
      const running = terminal('new')
      for (const question of questions.slice(0, at)) {
        await expect.poll(() => running.said).toContain(question)
        running.child.stdin?.write(question === 'Name of the app' ? 'Kelp\r' : '\r')
      }
      await expect.poll(() => running.said).toContain(questions[at])
      running.child.stdin?.write('\x03')
      const [code, said] = await running.end()
      expect([code, said]).toStrictEqual([
        130,
        expect.stringMatching(/\nCancelled: nothing was written\.\n$/),
      ])
      expectUntouched()
    })
  })
})
