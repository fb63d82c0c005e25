import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { printBuildManifest } from './build-manifest.ts'
import { writeBuild } from './write-build.ts'

let above = ''
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'write-build-'))
})
afterEach(() => rm(above, { recursive: true, force: true }))

const filesOf = (content: Readonly<Record<string, string>>) =>
  new Map(Object.entries(content).map(([path, text]) => [path, new TextEncoder().encode(text)]))

function build(text: string): Promise<readonly string[]> {
  const files = filesOf({ 'index.html': text })
  const manifest = printBuildManifest({
    ...({ brand: 'acme', environment: 'dev', target: 'web', version: '1.0.0' } as const),
    ...{ configHash: 'ab'.repeat(32), inputs: new Map(), outputs: files },
  })
  return writeBuild({
    ...{ out: join(above, 'dist'), deploy: join(above, 'deploy'), files },
    ...{ list: new Map([['build-manifest.json', manifest]]), beside: filesOf({ Caddyfile: text }) },
  })
}

const read = (path: string): Promise<string> => readFile(join(above, path), 'utf8')

it('writes neither folder when something is in the way of the build', async () => {
  await build('one')
  await writeFile(join(above, 'dist/index.html'), 'theirs')
  await expect(build('two')).rejects.toThrow('index.html was changed since it was written')
  expect([await read('dist/index.html'), await read('deploy/Caddyfile')]).toStrictEqual(['theirs', 'one'])
})

it('writes neither folder when something is in the way beside it, and makes none', async () => {
  await mkdir(join(above, 'deploy'))
  await writeFile(join(above, 'deploy/Caddyfile'), 'theirs')
  await expect(build('one')).rejects.toThrow('Caddyfile would be replaced')
  expect(await readdir(above)).toStrictEqual(['deploy'])
})

it('goes on from a build of a version that kept a list of the build alone', async () => {
  await build('one')
  await rm(join(above, 'deploy/.hailstone-files.json'))
  await expect(build('two')).rejects.toThrow(`cd ${join(above, 'deploy')} && rm Caddyfile`)
  expect([await read('dist/index.html'), await read('deploy/Caddyfile')]).toStrictEqual(['one', 'one'])
  await rm(join(above, 'deploy/Caddyfile'))
  expect(await build('two')).toStrictEqual([])
  expect([await read('dist/index.html'), await read('deploy/Caddyfile')]).toStrictEqual(['two', 'two'])
})
