import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { startDemo } from './demo-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hailstone-unwritable-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A path below a file: even root cannot create a folder there. */
const file = join(folder, 'file')
writeFileSync(file, '')

it('names the folder of the chain that cannot be written, the cause, and the option for another one', async () => {
  const dataDirectory = join(file, 'chain')
  const demo = startDemo({ dataDirectory })
  expect(await demo.exitCode).toBe(1)
  expect(demo.output()).toContain(`${dataDirectory}: a part of the path is a file (ENOTDIR).`)
  expect(demo.output()).toMatch(/^Choose a folder that can be written: npm start -- --data FOLDER$/m)
  expect(demo.output()).not.toMatch(/^ {4}at /m)
})

it('says that nothing can be installed with a home that cannot be written', () => {
  const clone = join(folder, 'clone')
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  cpSync(join(root, 'scripts/bootstrap.mjs'), join(clone, 'scripts/bootstrap.mjs'))
  writeFileSync(join(clone, 'package.json'), '{ "packageManager": "pnpm@12.21.0" }')
  writeFileSync(join(clone, 'pnpm-lock.yaml'), '')
  // Nothing is fetched: there is no registry at this address.
  const env = {
    PATH: process.env.PATH,
    HOME: file,
    USERPROFILE: file,
    npm_config_cache: join(file, '.npm'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
  }
  const script = "import('./scripts/bootstrap.mjs').then(({ install }) => install())"
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: clone,
    env,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /The command "npx .* install --frozen-lockfile" failed: .*\n.*file cannot be written \(ENOTDIR\).*Set HOME to a folder that can be written, and try again\.\n$/,
  )
})
