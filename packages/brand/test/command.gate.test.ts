import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeVerdict } from '../src/command/doctor-command.ts'
import { idFrom } from '../src/command/new-answers.ts'
import { runCommand } from '../src/command/run-command.ts'
import { checkBrandFolder } from '../src/files/check-brand-folder.ts'
import { loadBrandConfig } from '../src/files/load-brand-config.ts'
import { circle, goodBrand } from './good-brand.ts'

let cwd: string
const hash = 'ab'.repeat(32)

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'brand-'))
})

afterEach(() => rm(cwd, { recursive: true, force: true }))

async function brand(words: string, answers?: string[]) {
  const out: string[] = []
  const complaints: string[] = []
  const code = await runCommand(
    words.split(' ').filter((word) => word !== ''),
    {
      cwd,
      write: (line) => out.push(line),
      complain: (line) => complaints.push(line),
      ...(answers === undefined ? {} : { ask: async () => answers.shift() ?? '' }),
    },
  )
  return { code, out: out.join('\n'), complaints: complaints.join('\n') }
}

async function folderWith(config: unknown, id = 'acme'): Promise<string> {
  const folder = join(cwd, 'brands', id)
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'brand.json'), JSON.stringify(config))
  await writeFile(join(folder, 'assets/logo.svg'), circle)
  await writeFile(join(folder, 'assets/icon.svg'), circle)
  return folder
}

/** Installs a program in place of the app. */
async function installShell(program: string): Promise<string> {
  const folder = join(cwd, 'node_modules/@hailstone/white-label')
  await mkdir(folder, { recursive: true })
  const manifest = { name: '@hailstone/white-label', type: 'module', exports: { './shell': './shell.js' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'shell.js'), program)
  return folder
}

describe('brand new', () => {
  it('makes a brand that passes its checks from a line of options', async () => {
    const made = await brand(
      `new --name Acme --token ${hash} --primary #3a6ea5 --network devnet --ticker ACME --decimals 8`,
    )
    expect(made).toMatchObject({ code: 0, complaints: '' })
    expect(made.out).toContain('0 errors')
    const checked = await brand('check acme')
    expect(checked.out).toContain('E307 invite-link-missing')
    expect(checked.out).toContain('acme (dev, web): 0 errors, 1 warning')
  })

  it('begins with a finished look, whose settings are then its own', async () => {
    const made = await brand(`new --name Acme --token ${hash} --network devnet --look moss`)
    expect(made).toMatchObject({ code: 0, complaints: '' })
    const written = await readFile(join(cwd, 'acme/brand.ts'), 'utf8')
    for (const line of ["primary: '#6f8428'", "shape: 'square'", "hero: 'tide'", "font: 'serif'"])
      expect(written).toContain(line)
    const own = await brand(`new --name Bcme --token ${hash} --network devnet --look moss --primary #3a6ea5`)
    expect(own.code).toBe(0)
    expect(await readFile(join(cwd, 'bcme/brand.ts'), 'utf8')).toContain("primary: '#3a6ea5'")
    const wrong = await brand(`new --name Ccme --token ${hash} --network devnet --look mos`)
    expect(wrong.code).toBe(1)
    expect(wrong.complaints).toContain('--look should be one of harbour, ember')
  })

  it('makes a project of its own with one dependency, unless a folder of brands is there', async () => {
    const words = `new --name Acme --token ${hash} --network devnet`
    expect((await brand(words)).out).toContain('cd acme && npm install && npm run preview')
    const manifest = JSON.parse(await readFile(join(cwd, 'acme/package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['@hailstone/white-label'])
    expect(await readFile(join(cwd, 'acme/README.md'), 'utf8')).toMatch(/^# Acme\n/)
    await mkdir(join(cwd, 'brands'))
    expect((await brand(words)).out).toContain('edit brands/acme/brand.ts')
    await expect(readFile(join(cwd, 'brands/acme/package.json'))).rejects.toThrow('ENOENT')
  })

  it('may be renamed as a folder, but not below brands', async () => {
    await brand(`new --name Acme --token ${hash} --network devnet`)
    await rename(join(cwd, 'acme'), join(cwd, 'clone'))
    expect(await brand('check clone')).toMatchObject({ code: 0 })
    await mkdir(join(cwd, 'brands'))
    await rename(join(cwd, 'clone'), join(cwd, 'brands/clone'))
    expect((await brand('check clone')).out).toContain('E014 id-differs-from-folder')
  })

  it('asks for what is missing, and again after a wrong answer', async () => {
    const made = await brand('new --network devnet', ["O'Neill & Söhne", '', 'xyz', hash, ''])
    expect(made.complaints).toBe('It should be 64 lower-case hex digits.')
    expect(made.code).toBe(0)
    const { config } = await loadBrandConfig(join(cwd, 'o-neill-sohne'))
    expect(config).toMatchObject({ app: { name: "O'Neill & Söhne" }, theme: { primary: '#3a6ea5' } })
  })

  it('brings pictures along, and refuses what is there already or missing', async () => {
    await writeFile(join(cwd, 'mine.svg'), circle)
    const words = `new --name Acme --token ${hash} --network devnet --logo mine.svg --icon mine.svg`
    expect((await brand(words)).code).toBe(0)
    expect(new Uint8Array(await readFile(join(cwd, 'acme/assets/logo.svg')))).toEqual(circle)
    expect(await brand(words)).toMatchObject({
      code: 1,
      complaints: 'acme already exists; nothing was changed.',
    })
    expect((await brand('new --name Other --network custom')).complaints).toContain('--token is missing')
    expect((await brand(`new --name Other --token ${hash} --logo none.svg`)).code).toBe(1)
    expect((await brand(`new --name Other --token ${hash} --logo logo.gif`)).code).toBe(1)
    expect((await brand(`new --name Other --token ${hash} --id ../x`)).code).toBe(1)
  })

  it('keeps a bright colour as a ground, takes the nearest that can be read elsewhere, and says so', async () => {
    const made = await brand(`new --name Acme --primary #ffe600`)
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('#a29100 is taken') })
    expect(await readFile(join(cwd, 'acme/brand.ts'), 'utf8')).toContain(
      "primary: '#ffe600',\n    contrast: 'fix',",
    )
    expect((await brand('check acme --json')).out).not.toContain('contrast-too-low')
    expect((await brand('new --name Other --primary #000000')).out).toContain('0 errors')
  })

  it('is made in a folder that is named, unless that has files', async () => {
    await mkdir(join(cwd, 'here/.git'), { recursive: true })
    expect(await brand('new here --name Acme')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Next: cd here && npm install'),
    })
    expect(await brand('new here --name Acme')).toMatchObject({
      code: 1,
      complaints: 'here already exists; nothing was changed.',
    })
    expect((await brand('new there --name Ключ')).code).toBe(0)
    expect(await readFile(join(cwd, 'there/brand.ts'), 'utf8')).toContain("id: 'there'")
    expect((await brand('new one two --name Acme')).complaints).toContain('two is too much')
  })

  it('tells what public networks still need', async () => {
    const made = await brand(`new --name Acme --token ${hash} --network testnet`)
    expect(made.code).toBe(0)
    expect(made.out).toContain('E204 scheme-insecure  network.poa')
  })
})

describe('brand check', () => {
  it('prints place, expectation, find and fix', async () => {
    await folderWith({ ...goodBrand, app: { ...goodBrand.app, nmae: 'x' } })
    const { code, out } = await brand('check acme')
    expect(code).toBe(1)
    expect(out).toContain('E007 unknown-key  app.nmae')
    expect(out).toContain('fix       Did you mean "name"?')
  })

  it('takes settings above all layers, and environments and targets', async () => {
    await folderWith(goodBrand)
    expect((await brand('check acme --env prod --target pwa')).code).toBe(0)
    expect((await brand('check acme --set theme.mode=neon')).out).toContain('--set theme.mode')
    expect((await brand('check acme --set theme={"primary":"#ffe600"} --json')).code).toBe(1)
    expect((await brand('check acme --target ios')).code).toBe(1)
  })

  it('speaks JSON to programs', async () => {
    await folderWith({ ...goodBrand, features: { buy: true } })
    const { code, out } = await brand('check acme --json')
    const report = JSON.parse(out)
    expect(report).toMatchObject({
      id: 'acme',
      environment: 'dev',
      target: 'web',
      exitCode: 1,
      online: false,
    })
    expect(report.findings).toEqual([
      expect.objectContaining({ code: 'E704', name: 'buy-link-missing', path: 'links.buy' }),
    ])
    expect(code).toBe(1)
  })

  it('reads the brand of the folder it is in', async () => {
    cwd = await folderWith(goodBrand)
    expect((await brand('check')).code).toBe(0)
  })

  it('names a brand that is not there', async () => {
    expect((await brand('check nobody')).out).toContain('E001 brand-not-found')
  })

  it('explains words it does not know', async () => {
    expect(await brand('chekc')).toMatchObject({
      code: 1,
      complaints: 'There is no command "chekc". Did you mean "check"?',
    })
    expect((await brand('check --onlien')).complaints).toContain('Did you mean --online?')
    expect((await brand('check --env production')).complaints).toContain('dev, staging, prod')
    expect((await brand('check --set x')).complaints).toContain('theme.mode=dark')
    expect((await brand('check --set __proto__.x=1')).code).toBe(1)
    const { out } = await brand('check --help')
    expect(out).toContain('Usage: hailstone-brand check')
    expect(out).toContain('--online also checks')
    expect(out).toContain('Exit code')
    expect(out).not.toContain('--out FOLDER')
    expect((await brand('help check')).out).toBe(out)
    expect((await brand('')).code).toBe(1)
    expect((await brand('--version')).out).toMatch(/^hailstone-brand \d+\.\d+\.\d+, node v/)
  })

  it('refuses options of other commands, and says whose they are', async () => {
    await folderWith(goodBrand)
    expect(await brand('check acme --logo x.svg')).toMatchObject({
      code: 1,
      complaints: 'hailstone-brand check has no option --logo. It belongs to new.',
    })
    expect((await brand('diff acme acme --jsno')).complaints).toBe(
      'hailstone-brand diff has no option --jsno.',
    )
    expect((await brand('assets acme --online')).complaints).toContain(
      'It belongs to check and promote and preview and build.',
    )
    expect((await brand('check acme --env')).complaints).toContain('--env')
  })

  it('takes the ports of a local network in place of the usual ones, which it leaves alone', async () => {
    await folderWith({ ...goodBrand, app: { name: 'Acme' }, links: {}, network: { preset: 'devnet' } })
    const network = await startLocalNetwork({ seed: 'brand', keepAlive: false, fallbackMiner: false })
    const token = network.tokens.mineable.id
    const words = `check acme --set token.hash=${token} --set token.ticker=HAIL --set token.decimals=10`
    const ports = `--online --api ${network.apiUrl} --gateway ${network.gatewayUrl}`
    expect(await brand(`${words} ${ports}`)).toMatchObject({ code: 0, complaints: '' })
    await network.stop()
    const away = await brand(`${words} ${ports}`)
    expect(away.code).toBe(2)
    expect(away.out).toContain(
      'fix       Start it with `hailstone-network` (in a clone of Hailstone `npm run network`), or name',
    )
    expect((await brand(`${words} --set network=5 ${ports}`)).code).toBe(1)
    // `--set` wins.
    expect((await brand(`${words} --set network.api=nonsense ${ports}`)).out).toContain('E201 url-malformed')
  })

  it('asks the network with --online, and ends in 2 when nobody answers', async () => {
    const network: LocalNetwork = await startLocalNetwork({
      seed: 'brand',
      keepAlive: false,
      fallbackMiner: false,
    })
    const config = (token: string) => ({
      ...goodBrand,
      app: { name: 'Acme' },
      links: {},
      token: { hash: token },
      network: { preset: 'custom', api: network.apiUrl, poa: [network.gatewayUrl] },
    })
    await folderWith(config(network.tokens.fixed.id))
    const idle = await brand('check acme --online')
    expect(idle.out).toContain('E104 token-not-mineable  token.hash')
    expect(idle.code).toBe(1)
    await network.stop()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const nobody = {
      preset: 'custom',
      api: `http://127.0.0.1:${port}/api/v1`,
      poa: [`ws://127.0.0.1:${port}`],
    }
    await folderWith({ ...config(hash), network: nobody })
    const away = await brand('check acme --online')
    expect(away.out).toContain('E215 network-unreachable')
    expect(away.code).toBe(2)
  })
})

describe('other brand commands', () => {
  it('draw the pictures of a good brand only', async () => {
    await folderWith(goodBrand)
    const drawn = await brand('assets acme --only web --out out')
    expect(drawn.code).toBe(0)
    expect((await readFile(join(cwd, 'out/icons/icon-192.png'))).length).toBeGreaterThan(100)
    expect((await brand('assets acme --only tv')).complaints).toContain('web, android, ios')
    await folderWith({ ...goodBrand, theme: { primary: 'red' } })
    expect((await brand('assets acme')).complaints).toContain('Nothing was drawn')
  })

  it('say what differs between brands and environments', async () => {
    await folderWith({ ...goodBrand, environments: { prod: { app: { name: 'Acme' } } } })
    await folderWith({ ...goodBrand, id: 'other' }, 'other')
    expect((await brand('diff acme acme')).out).toBe('No difference.')
    expect((await brand('diff acme acme#prod')).out).toContain('~ app.name  "Acme Mining" → "Acme"')
    expect((await brand('diff acme other')).out).toContain('~ id  "acme" → "other"')
    expect((await brand('diff acme acme#beta')).complaints).toContain('dev, staging, prod')
    expect((await brand('diff acme')).code).toBe(1)
    expect((await brand('diff acme nobody')).code).toBe(1)
  })

  it('look over everything that is here', async () => {
    await folderWith(goodBrand)
    const good = await brand('doctor')
    expect(good.out).toContain('ok    brand acme (dev, web): 0 errors, 0 warnings')
    expect(good.code).toBe(0)
    await folderWith({ ...goodBrand, id: 'wrong' }, 'broken')
    expect((await brand('doctor')).code).toBe(1)
    expect(nodeVerdict('18.20.0').is).toBe('bad')
    expect(nodeVerdict('20.19.0').is).toBe('good')
  })

  it('say that preview and build come with the app, and hand over to it when it is there', async () => {
    await folderWith(goodBrand)
    expect(await brand('build acme')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('@hailstone/white-label is not installed here'),
    })
    const program = `import { writeFileSync } from 'node:fs'
      const run = (kind) => async (request) => {
        writeFileSync(${JSON.stringify(join(cwd, 'handed.json'))}, JSON.stringify({ kind, ...request }))
        return 0
      }
      export const preview = run('preview')
      export const build = run('build')`
    await installShell(program)
    expect((await brand('build acme --env prod --target pwa --out dist')).code).toBe(0)
    const handed = JSON.parse(await readFile(join(cwd, 'handed.json'), 'utf8'))
    expect(handed).toMatchObject({
      kind: 'build',
      environment: 'prod',
      target: 'pwa',
      out: join(cwd, 'dist'),
    })
    await folderWith({ ...goodBrand, theme: { primary: '#ffe600' } })
    expect((await brand('build acme')).complaints).toContain('Nothing was built')
    expect((await brand('preview acme')).code).toBe(0)
  })

  it('hand a preview the brands it was given, and of one those that lie beside it', async () => {
    const folders = [await folderWith(goodBrand), await folderWith({ ...goodBrand, id: 'bold' }, 'bold')]
    const third = await folderWith({ ...goodBrand, id: 'calm' }, 'calm')
    await mkdir(join(cwd, 'brands/no-brand'))
    const handedTo = join(cwd, 'handed.json')
    const program = `import { writeFileSync } from 'node:fs'
      export const preview = async (request) => {
        writeFileSync(${JSON.stringify(handedTo)}, JSON.stringify(request))
        return 0
      }`
    await installShell(program)
    const handed = async (words: string) => {
      expect((await brand(words)).code).toBe(0)
      return JSON.parse(await readFile(handedTo, 'utf8'))
    }
    expect(await handed('preview acme')).toMatchObject({
      brandFolder: folders[0],
      otherFolders: [folders[1], third],
    })
    expect(await handed('preview bold acme bold')).toMatchObject({
      brandFolder: folders[1],
      otherFolders: [folders[0]],
    })
    expect(await brand('preview acme nobody')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('There is nothing to show'),
    })
  })

  it('check overrides against the texts of the app', async () => {
    const shell = await installShell('')
    for (const name of ['.', 'later', 'service']) {
      await mkdir(join(shell, 'src/i18n', name), { recursive: true })
      await writeFile(join(shell, 'src/i18n', name, 'en.json'), name === '.' ? '{"mine":{"go":"Go"}}' : '{}')
    }
    const folder = await folderWith(goodBrand)
    await mkdir(join(folder, 'i18n'))
    await writeFile(join(folder, 'i18n/en.json'), '{"mine.go":"Los","mine.start":"x"}')
    expect((await brand('check acme')).out).toContain('string-key-unknown  i18n/en.json#mine.start')
  })
})

describe('brand language', () => {
  const texts = {
    'en.json': {
      'mine.go': 'Go and mine now',
      'rewards.count_one': 'one',
      'rewards.count_other': '{{count}}',
    },
    'later/en.json': { 'install.title': 'Install' },
    'service/en.json': {},
  }

  async function installTexts(): Promise<void> {
    const shell = await installShell('')
    for (const [name, own] of Object.entries(texts)) {
      const path = join(shell, 'src/i18n', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, JSON.stringify(own))
    }
  }

  it('begins a file with all texts of the app, keeps what is translated, and adds what an update brings', async () => {
    await installTexts()
    const folder = await folderWith(goodBrand)
    const file = join(folder, 'i18n/pl.json')
    const begun = await brand('language pl acme')
    expect(begun).toMatchObject({ code: 0, complaints: '' })
    expect(begun.out).toContain('6 texts, 6 of them added in English')
    expect(begun.out).toContain('1 still in English')
    expect(begun.out).toMatch(/enabled: \['en', .*'zh', 'pl'\]/)
    const written = JSON.parse(await readFile(file, 'utf8'))
    expect(Object.keys(written)).toEqual([
      'mine.go',
      ...['one', 'few', 'many', 'other'].map((form) => `rewards.count_${form}`),
      'install.title',
    ])
    await writeFile(file, JSON.stringify({ 'mine.go': 'Zacznij kopać', 'mine.old': 'Dawne' }))
    expect((await brand('language pl acme')).out).toContain('5 of them added in English')
    const again = JSON.parse(await readFile(file, 'utf8'))
    expect(again).toMatchObject({
      'mine.go': 'Zacznij kopać',
      'mine.old': 'Dawne',
      'install.title': 'Install',
    })
    expect((await brand('check acme --set i18n.enabled=["en","pl"]')).out).toContain(
      'string-key-unknown  i18n/pl.json#mine.old',
    )
  })

  it('says what it needs, and spoils no file', async () => {
    const folder = await folderWith(goodBrand)
    expect((await brand('language pl acme')).complaints).toContain(
      '@hailstone/white-label is not installed here',
    )
    await installTexts()
    expect((await brand('language')).complaints).toContain('hailstone-brand language nl')
    expect((await brand('language Polish')).complaints).toContain('found "Polish"')
    expect((await brand('language de acme')).complaints).toContain('The app has "de" already')
    expect((await brand('language pl nobody')).complaints).toContain('There is no brand in')
    await mkdir(join(folder, 'i18n'))
    await writeFile(join(folder, 'i18n/pl.json'), '{"mine.go": 1')
    expect(await brand('language pl acme')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('Nothing was written'),
    })
    expect(await readFile(join(folder, 'i18n/pl.json'), 'utf8')).toBe('{"mine.go": 1')
    // As an editor saves it that does not write UTF-8.
    await writeFile(join(folder, 'i18n/pl.json'), Buffer.from('{"mine.go":"kop\xF3w"}', 'latin1'))
    expect((await brand('language pl acme')).complaints).toContain('bytes that are not UTF-8')
    expect((await brand('language iw-IL acme')).complaints).toContain('"he-IL": use that')
    await writeFile(join(folder, 'i18n/pl.json'), '{"mine.go":"Kop"}')
    expect((await brand('language pl acme')).code).toBe(0)
    expect((await readdir(join(folder, 'i18n'))).sort()).toEqual(['pl.json', 'pl.json.before'])
    expect(await readFile(join(folder, 'i18n/pl.json.before'), 'utf8')).toBe('{"mine.go":"Kop"}')
    // A folder that is a link out of the brand, and one that is a file.
    await rm(join(folder, 'i18n'), { recursive: true })
    await symlink(cwd, join(folder, 'i18n'))
    expect((await brand('language pl acme')).complaints).toContain('a link that leads out of the brand')
    await rm(join(folder, 'i18n'))
    await writeFile(join(folder, 'i18n'), '')
    expect((await brand('language pl acme')).complaints).toMatch(
      /i18n.*: a part of the path is a file \(ENOTDIR\)/,
    )
  })
})

describe('a brand folder', () => {
  it('may be a program that imports defineBrand and a brand beside it', async () => {
    const folder = await folderWith(goodBrand)
    await rm(join(folder, 'brand.json'))
    await writeFile(join(folder, 'base.ts'), `export const base = ${JSON.stringify(goodBrand)} as const`)
    const program = `import { defineBrand } from '@hailstone/brand'
      import { base } from './base.ts'
      export default defineBrand({ ...base, app: { name: 'Based' as string } })`
    await writeFile(join(folder, 'brand.ts'), program)
    const { brand: read, findings } = await checkBrandFolder({ folder })
    expect(read?.app.name).toBe('Based')
    expect(findings.map(({ name }) => name)).toEqual(['invite-link-missing'])
  })

  it('is read anew after a change', async () => {
    const folder = await folderWith(goodBrand)
    await rm(join(folder, 'brand.json'))
    for (const id of ['one', 'two']) {
      await writeFile(join(folder, 'brand.js'), `export default { id: '${id}' }`)
      expect((await loadBrandConfig(folder)).config).toEqual({ id })
    }
  })

  it('is read as editors write it, with a byte order mark and in UTF-16', async () => {
    const folder = await folderWith(goodBrand)
    const text = `\ufeff${JSON.stringify({ id: 'marked' })}\r\n`
    for (const encoding of ['utf8', 'utf16le'] as const) {
      await writeFile(join(folder, 'brand.json'), text, encoding)
      expect((await loadBrandConfig(folder)).config).toEqual({ id: 'marked' })
    }
  })

  it('is refused when its file cannot be read', async () => {
    const folder = await folderWith(goodBrand)
    const nameOf = async () => (await checkBrandFolder({ folder })).findings[0]?.name
    await writeFile(join(folder, 'brand.json'), '{')
    expect(await nameOf()).toBe('brand-unreadable')
    await writeFile(join(folder, 'brand.json'), `"${'x'.repeat(256_001)}"`)
    expect(await nameOf()).toBe('file-too-large')
    await rm(join(folder, 'brand.json'))
    expect(await nameOf()).toBe('brand-not-found')
    await writeFile(join(folder, 'brand.ts'), 'throw new Error("no")')
    expect(await nameOf()).toBe('brand-unreadable')
  })

  it('may not reach out of itself', async () => {
    const folder = await folderWith(goodBrand)
    await writeFile(join(cwd, 'secret.svg'), circle)
    await symlink(join(cwd, 'secret.svg'), join(folder, 'assets/linked.svg'))
    const { findings, files } = await checkBrandFolder({ folder })
    expect(findings.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'asset-outside-folder assets/linked.svg',
    ])
    expect(files.has('assets/linked.svg')).toBe(false)
  })
})

describe('idFrom', () => {
  it('makes an id of a name', () => {
    expect(idFrom('O’Neill & Söhne 2')).toBe('o-neill-sohne-2')
    expect(idFrom('42 Acme')).toBe('acme')
  })
})
