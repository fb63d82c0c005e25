import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from '../tools/build-brand.ts'

const root = join(appFolder(), '..', '..')
const brand = join(root, 'apps', 'white-label', 'bin', 'hailstone-brand.js')
/** The processes that `npm start` runs after the build. */
const start = `
  import { readOptions } from '${pathToFileURL(join(root, 'apps/demo/src/options.mjs'))}'
  import { main } from '${pathToFileURL(join(root, 'apps/demo/dist/main.js'))}'
  process.exitCode = await main(readOptions(process.argv.slice(1)), { isAlone: () => false })
`

let folder: string
let network: LocalNetwork
let commands: readonly string[]

beforeAll(async () => {
  // Inside the repository, where the commands find the app.
  folder = await mkdtemp(join(appFolder(), 'node_modules', '.readme-'))
  network = await startLocalNetwork({ blockTimeMs: 1_000 })
  const readme = await readFile(join(appFolder(), 'README.md'), 'utf8')
  const [, chapter = ''] = readme.split('## Your brand in ten minutes\n')
  const [text = ''] = chapter.split('\n## ')
  commands = [...text.matchAll(/```\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
})
afterAll(async () => {
  await network?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Splits a command line into words as a shell does. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Returns the command that begins like this; it must be in the README exactly once. */
function command(beginning: string): readonly string[] {
  const found = commands.filter(
    (line) => line === beginning || (line.startsWith(`${beginning} `) && !beginning.endsWith('kelp')),
  )
  expect(found, beginning).toHaveLength(1)
  const words = wordsOf(found[0] ?? '')
  return words.slice(words.indexOf('--') + 1)
}

/** Runs the command in its own process, so that the network of this one keeps answering. */
async function runBrand(words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn(process.execPath, [brand, ...words], { cwd: folder })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const [code] = await once(child, 'close')
  return { code, said }
}

/** Starts a long-running command, waits for the address it prints, then interrupts it. */
async function addressOf(parameters: readonly string[], pattern: RegExp): Promise<string> {
  const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let said = ''
  try {
    for await (const chunk of child.stdout) {
      said += chunk
      const url = pattern.exec(said)?.[1]
      if (url === undefined) continue
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      return await answer.text()
    }
    throw new Error(`It ended: ${said}`)
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

describe('the chapter "Your brand in ten minutes"', () => {
  it('UX-1: does what it says, command by command', async () => {
    const online = [
      '--set',
      `network.api=${network.apiUrl}`,
      '--set',
      `network.poa=${JSON.stringify([network.gatewayUrl])}`,
    ]
    expect(await runBrand(command('npm run brand -- new'))).toMatchObject({ code: 0 })
    expect(await runBrand(command('npm run brand -- check kelp'))).toMatchObject({ code: 0 })
    expect(await runBrand([...command('npm run brand -- check kelp --online'), ...online])).toMatchObject({
      code: 0,
    })
    const preview = await addressOf([brand, ...command('npm run brand -- preview')], /(http:\S+)/)
    expect(preview).toContain('<title>Your brand</title>')
    const ports = ['--port', '0', '--gateway-port', '0', '--sample-port', '0', '--app-port', '0']
    const started = await addressOf(
      ['--input-type=module', '--eval', start, '--', ...command('npm start -- --brand'), ...ports],
      /Mining app\s+(http:\S+)/,
    )
    expect(started).toContain('<title>Kelp Mining</title>')
    expect(await runBrand(command('npm run brand -- build'))).toMatchObject({ code: 0 })
    const built = await readFile(join(folder, 'builds', 'kelp-app', 'index.html'), 'utf8')
    expect(built).toContain('<title>Kelp Mining</title>')
    expect(await readFile(join(folder, 'builds', 'kelp-app', '_headers'), 'utf8')).toContain(
      "default-src 'none'",
    )
  })
})
