import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildManifest } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from './build-brand.ts'

let folder: string
/** Built once, from a copy of the brand in a folder other than that of the second build. */
let first: string

const at = (name: string): string => join(folder, name)

/** Runs the command in its own process, as a partner does. */
function brand(...words: readonly string[]) {
  const bin = join(appFolder(), 'bin/hailstone-brand.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: appFolder(),
    encoding: 'utf8',
  })
  return { code: status, said: `${stdout}${stderr}` }
}

async function buildCopy(place: string): Promise<string> {
  await cp(join(appFolder(), 'brands', 'jamr'), at(`${place}/jamr`), { recursive: true })
  const app = at(`${place}-app`)
  const built = brand('build', at(`${place}/jamr`), '--out', app, '--sign-key', at('own.pem'))
  expect(built.code, built.said).toBe(0)
  return app
}

async function bytesOf(app: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(app, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files
    .sort()
    .map(async (path) => [path.slice(app.length), (await readFile(path)).toString('base64')] as const)
  return new Map(await Promise.all(read))
}

const listOf = async (app: string): Promise<BuildManifest> =>
  JSON.parse(await readFile(join(app, 'build-manifest.json'), 'utf8'))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await writeFile(at('own.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(at('own.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  first = await buildCopy('one')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the list of a build', () => {
  it('is the same to the byte for the same brand in another folder, as is every file', async () => {
    const second = await buildCopy('two')
    const [one, other] = [await bytesOf(first), await bytesOf(second)]
    expect(one.size).toBeGreaterThan(20)
    expect([...one.keys()]).toContain('/build-manifest.json.sig')
    expect([...other]).toEqual([...one])
  })

  it('names every file of brand, shell and app, in order, and no place or time', async () => {
    const text = await readFile(join(first, 'build-manifest.json'), 'utf8')
    const { inputs, outputs, ...facts } = JSON.parse(text) as BuildManifest
    expect(facts).toEqual({
      format: 1,
      brand: 'jamr',
      environment: 'dev',
      target: 'web',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      configHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const paths = inputs.map(({ path }) => path)
    for (const path of ['brand/brand.ts', 'brand/i18n/ar.json', 'shell/index.html'])
      expect(paths).toContain(path)
    expect(paths).toEqual(paths.toSorted())
    const built = [...(await bytesOf(first)).keys()].filter((path) => !path.startsWith('/build-manifest'))
    expect(outputs.map(({ path }) => `/${path}`).toSorted()).toEqual(built.toSorted())
    expect(text).not.toContain(folder)
    expect(text).not.toContain(appFolder())
    expect(text).not.toMatch(/20\d\d-\d\d|T\d\d:/)
  })

  it('tells another setting by the hash of the configuration, and is unsigned without a key', async () => {
    const out = at('worded')
    const built = brand('build', at('one/jamr'), '--out', out, '--set', 'app.tagline=Otherwise')
    expect(built.code, built.said).toBe(0)
    const [one, other] = [await listOf(first), await listOf(out)]
    expect(other.configHash).not.toBe(one.configHash)
    expect(other.inputs).toEqual(one.inputs)
    expect(await readdir(out)).not.toContain('build-manifest.json.sig')
  })

  it('is found whole and signed by `hailstone-brand build --verify`', () => {
    const verified = brand('build', '--verify', first, '--public-key', at('own.pub'))
    expect(verified.code, verified.said).toBe(0)
    expect(verified.said).toMatch(/^jamr, \d+ files, signed: 0 errors, 0 warnings$/m)
  })
})

describe('a second build into a folder', () => {
  it('keeps a repository, a domain and all else that no build wrote, and takes back what it no longer writes', async () => {
    const out = at('second')
    const words = ['build', at('one/jamr'), '--out', out]
    expect(brand(...words, '--host', 'netlify').code).toBe(0)
    await mkdir(join(out, '.git'))
    const own = ['.git/HEAD', 'CNAME', 'assets/own.js']
    for (const name of own) await writeFile(join(out, name), 'theirs')
    const again = brand(...words, '--host', 'github-pages')
    expect(again.code, again.said).toBe(0)
    for (const name of own) expect(await readFile(join(out, name), 'utf8')).toBe('theirs')
    const names = await readdir(out)
    expect(names).toContain('.nojekyll')
    expect(names).not.toContain('_redirects')
  })

  it('is not made through a link that the brand has in the place of its build', async () => {
    const own = at('linked/jamr')
    await cp(at('one/jamr'), own, { recursive: true })
    await mkdir(at('elsewhere'))
    await symlink(at('elsewhere'), join(own, 'dist'))
    const refused = brand('build', own)
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('dist is a link')])
    expect(await readdir(at('elsewhere'))).toEqual([])
  })

  it('is not made over a file that was changed since, and names one that it would take back', async () => {
    const out = at('changed')
    const words = ['build', at('one/jamr'), '--out', out]
    expect(brand(...words, '--host', 'netlify').code).toBe(0)
    await writeFile(join(out, '_redirects'), 'theirs')
    const left = brand(...words, '--host', 'github-pages')
    expect([left.code, left.said]).toEqual([
      0,
      expect.stringContaining('_redirects is of an earlier build and was changed'),
    ])
    expect(await readFile(join(out, '_redirects'), 'utf8')).toBe('theirs')
    await writeFile(join(out, 'index.html'), 'theirs')
    const refused = brand(...words)
    expect([refused.code, refused.said]).toEqual([
      1,
      expect.stringContaining('index.html was changed since it was written'),
    ])
    expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('theirs')
  })
})

describe('a brand of each schema version that was ever published', () => {
  const schemas = fileURLToPath(new URL('../../../packages/brand/test/schemas/', import.meta.url))

  it('is built', async () => {
    const versions = await readdir(schemas)
    expect(versions.length).toBeGreaterThan(0)
    for (const version of versions) {
      const { code, said } = brand('build', join(schemas, version), '--out', at(`schema-${version}`))
      expect(code, said).toBe(0)
      expect(await readFile(at(`schema-${version}/index.html`), 'utf8')).toContain('Version')
    }
  })
})
