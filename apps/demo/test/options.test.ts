import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { readOptions } from '../src/options.mjs'
import { portAdvice, secondDemoLine, takenPort } from '../src/taken-port.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** A clone in which nothing is installed and nothing can be: there is no lockfile. */
const bare = mkdtempSync(join(tmpdir(), 'hailstone-bare-'))
const needed = ['src/options', 'src/parents', 'src/taken-port', 'start'].map(
  (name) => `apps/demo/${name}.mjs`,
)
for (const file of ['scripts/bootstrap.mjs', ...needed]) cpSync(join(root, file), join(bare, file))
afterAll(() => rmSync(bare, { recursive: true }))

const start = (...words: readonly string[]) =>
  spawnSync(process.execPath, [join(bare, 'apps/demo/start.mjs'), ...words], { encoding: 'utf8' })

describe('npm start', () => {
  it('prints its help before anything is installed or built', () => {
    const { status, stdout } = start('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Usage: npm start/)
  })

  it.each([
    ['--nonsense', /There is no option --nonsense\.$/m],
    ['--blocktime=2s', /There is no option --blocktime\. Did you mean --block-time\?/],
    ['--prot=0', /Did you mean --port\?/],
    ['--sample', /Did you mean --sample-port\?/],
    ['--port=http', /--port should be a port/],
    ['--block-time=5', /--block-time should be a time such as/],
    ['--port=4411', /--port and --gateway-port should differ/],
    ['extra', /extra/],
  ])('refuses %s with code 2 before anything is installed or built', (word, sentence) => {
    const { status, stderr } = start(word)
    expect(status).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(stderr).toContain('Usage: npm start')
  })

  it('tells of a port that is taken before anything is installed or built', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const free = ['--port=0', '--gateway-port=0', '--app-port=0']
    const { status, stdout, stderr } = start(...free, `--sample-port=${port}`)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(
      `Port ${port}, which the demo uses for its sample app, is taken by another program.`,
    )
    expect(stderr).toMatch(/npm start -- --sample-port 0$/m)
    const ports = { apiPort: 0, gatewayPort: 0, samplePort: 0, appPort: port }
    expect(await takenPort(ports)).toBe(port)
    await new Promise((resolve) => other.close(resolve))
    expect(await takenPort(ports)).toBeNull()
  })
})

describe('the line for a second demo', () => {
  const lineFor = (...words: readonly string[]): string => secondDemoLine(readOptions(words) ?? never())
  const never = (): never => {
    throw new Error('no options')
  }

  it('is read by the shell as options with a chain of its own and free ports', () => {
    const line = lineFor('--brand', "brands/Kelp's mine")
    const { stdout } = spawnSync('sh', ['-c', line.replace('npm start --', `printf '%s\\n'`)], {
      encoding: 'utf8',
    })
    expect(readOptions(stdout.trimEnd().split('\n'))).toMatchObject({
      dataDirectory: '.hailstone/demo-2',
      apiPort: 0,
      gatewayPort: 0,
      samplePort: 0,
      appPort: 0,
      brandFolder: resolve("brands/Kelp's mine"),
    })
  })

  it('stands whole in a line of its own where a port is taken', () => {
    expect(portAdvice(4411, readOptions([]) ?? never()).split('\n')).toContain(
      'npm start -- --data .hailstone/demo-2 --port 0 --gateway-port 0 --sample-port 0 --app-port 0',
    )
  })
})

describe('options', () => {
  it('have a block every 5 s, the documented ports, and the seed of the kept chain', () => {
    expect(readOptions([])).toEqual({
      apiPort: 4410,
      gatewayPort: 4411,
      samplePort: 4412,
      appPort: 4413,
      brandFolder: undefined,
      blockTimeMs: 5000,
      seed: undefined,
      dataDirectory: '.hailstone/demo',
      reset: false,
      exitAfterReward: false,
      timeLimitMs: 180_000,
    })
  })

  it('may take free ports all over', () => {
    const ports = readOptions(['--port', '0', '--gateway-port', '0', '--sample-port', '0'])
    expect(ports).toMatchObject({ apiPort: 0, gatewayPort: 0, samplePort: 0 })
  })
})
