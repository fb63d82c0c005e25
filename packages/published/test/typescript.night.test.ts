import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { layOut, manifestIn } from './support/lay-out.ts'
import { binOf, folderOf, published, root } from './support/workspace.ts'

const consumer = fileURLToPath(new URL('../consumer', import.meta.url))
const run = promisify(execFile)
const oldest = dirname(createRequire(import.meta.url).resolve('typescript-oldest/package.json'))

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-typed-'))
  for (const name of ['typed.ts', 'typed-all.ts']) await cp(join(consumer, name), join(folder, name))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const tarballs = inject('tarballs')
  for (const name of published) await layOut({ name, tarballs, into: folder, withPeers: true })
  // What an application of React and Node has of its own.
  for (const [name, of] of [
    ['@types/react', 'react'],
    ['@types/node', 'local-network'],
  ] as const) {
    const here = await realpath(join(folderOf(of), 'node_modules', name))
    await symlink(here, join(folder, 'node_modules', name), 'dir').catch(ignoreExisting)
  }
})

afterAll(() => rm(folder, { recursive: true }))

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Compiles as strictly as a compiler can, declarations of all packages included; returns what it says. */
async function compile(tsc: readonly string[], module: 'nodenext' | 'esnext'): Promise<string> {
  const [command = '', ...first] = tsc
  const resolution = module === 'nodenext' ? 'nodenext' : 'bundler'
  const options = [
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
    ...[
      '--skipLibCheck',
      'false',
      '--types',
      'node',
      '--target',
      'es2022',
      '--lib',
      'es2023,esnext.disposable',
    ],
    ...['--module', module, '--moduleResolution', resolution],
  ]
  const { stdout } = await run(command, [...first, ...options, 'typed.ts', 'typed-all.ts'], {
    cwd: folder,
  }).catch((error: { readonly stdout: string }) => error)
  return stdout
}

describe('every published declaration, without skipLibCheck', () => {
  const { version } = manifestIn(oldest)

  it.each([
    ['the newest TypeScript', [binOf('tsc')]],
    [`TypeScript ${version}`, [process.execPath, join(oldest, 'lib', 'tsc.js')]],
  ])('compiles with %s', async (_, tsc) => {
    for (const module of ['nodenext', 'esnext'] as const) expect(await compile(tsc, module)).toBe('')
  })

  it('has the oldest TypeScript that was tested in one page of the documentation', async () => {
    const named = `TypeScript ${version.replace(/\.\d+$/, '')}`
    const page = await readFile(join(root, 'docs/how-to/compile-with-typescript.md'), 'utf8')
    expect(page).toContain(`need ${named} or newer`)
  })
})
