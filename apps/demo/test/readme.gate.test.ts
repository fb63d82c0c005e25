import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runScript } from './demo-process.ts'

const demo = fileURLToPath(new URL('..', import.meta.url))
const root = join(demo, '..', '..')

const blocksOf = (text: string): readonly string[] =>
  [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const linesOf = (code: string): readonly string[] => code.split('\n').filter((line) => line.trim() !== '')

let network: LocalNetwork
let folder: string
let readme: string
let tenLines: string
let script: string

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  const [first = ''] = blocksOf(readme)
  tenLines = first
  const [whole = ''] = blocksOf(await readFile(join(root, 'packages/mining-node/README.md'), 'utf8'))
  script = whole
  network = await startLocalNetwork({ seed: 'readme', blockTimeMs: 600 })
  folder = await mkdtemp(join(tmpdir(), 'hailstone-readme-'))
  await symlink(join(demo, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(async () => {
  await network?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('the blocks compile under the strict settings of the workspace', async () => {
  await writeFile(join(folder, 'ten-lines.ts'), tenLines)
  await writeFile(join(folder, 'script.ts'), script)
  const tsconfig = {
    extends: join(demo, 'tsconfig.json'),
    compilerOptions: { rootDir: '/' },
    include: ['*.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  await promisify(execFile)(join(demo, 'node_modules', '.bin', 'tsc'), ['-p', folder])
})

it('the ten lines are a file of the sample app', async () => {
  expect(tenLines).toBe(await readFile(join(root, 'apps/sample/mine.mjs'), 'utf8'))
})

it('the ten lines are ten and earn, run as they are', async () => {
  expect(linesOf(tenLines).length).toBeLessThanOrEqual(10)
  expect(tenLines).toContain("'http://127.0.0.1:4410/api/v1'")
  const here = tenLines
    .replace('http://127.0.0.1:4410/api/v1', network.apiUrl)
    .replace('ws://127.0.0.1:4411', network.gatewayUrl)
  const file = join(folder, 'mine.mjs')
  await writeFile(file, here)
  const running = runScript(file, {})
  await running.printed(/^earned \d+\.\d+ DEV$/m)
  running.child.kill('SIGINT')
  await running.exitCode
})

it('has at most 80 lines, and begins with npm start', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(80)
  const [first = ''] = [...readme.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(first).toBe('npm start\n')
})

it('names no package as something to fetch: none of them is published', () => {
  expect(readme).not.toMatch(/npx |npm (?:create|install|i) /)
})

it('the script of the library has at most 40 lines, and ends with its reward', async () => {
  expect(linesOf(script).length).toBeLessThanOrEqual(40)
  const file = join(folder, 'miner.mjs')
  await writeFile(file, script)
  const running = runScript(file, { HAILSTONE_API: network.apiUrl, HAILSTONE_GATEWAY: network.gatewayUrl })
  expect(await running.exitCode).toBe(0)
  expect(running.output()).toMatch(/^earned [\d.]+ DEV in block \d+, microblock [0-9a-f]{64}$/m)
})

it('links to what is there', () => {
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  const chapters = [...readme.matchAll(/^## (.+)$/gm)].map(
    ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
  )
  const broken = targets.filter((target) => {
    if (target.startsWith('http://127.0.0.1:')) return false
    return target.startsWith('#') ? !chapters.includes(target) : !existsSync(join(root, target))
  })
  expect(targets.length).toBeGreaterThan(15)
  expect(broken).toEqual([])
})
