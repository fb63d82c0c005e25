// Every tool that writes into a folder of somebody else, against what may be in its way there.
import {
  chmod,
  cp,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { printBuildManifest, runCommand, writeBuild } from '@hailstone/brand/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { templateFiles } from '../../../packages/create-hailstone/src/write-project.ts'
import { createFiles } from '../../../packages/runtime/src/node/own-files.ts'
// @ts-expect-error -- a script of the repository, without types
import { writeArchives } from '../../../scripts/pack.mjs'
import { openBrandEditor, wizardFields } from './brand-editor.ts'
import { appFolder } from './build-brand.ts'

const app = appFolder()

let above: string
/** The folder of somebody else. */
let folder: string
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'foreign-'))
  await chmod(above, 0o755)
  folder = join(above, 'jamr')
})
afterEach(() => rm(above, { recursive: true, force: true }))

const encoder = new TextEncoder()
const drawing = encoder.encode(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><path fill="#14532d" d="M20 70 60 10 100 70Z"/></svg>',
)

type Tool = {
  /** Makes the folder as somebody has it. @default an empty one */
  readonly prepare?: () => Promise<void>
  /** Lets the tool write; resolves with what it says, rejects with it or says it if something is in its way. */
  readonly run: (text: string) => Promise<string>
  /** A file that it writes, in a folder of its own if it makes any. */
  readonly target: string
  /** What it does with a file of its target's name: leaves it, or replaces it because the person asked for that. */
  readonly file: 'left' | 'replaced'
}

const copyBrand = (): Promise<void> => cp(join(app, 'brands/jamr'), folder, { recursive: true })

async function brand(...words: readonly string[]): Promise<string> {
  const lines: string[] = []
  const put = (line: string): void => void lines.push(line)
  // The app of a clone makes no projects.
  const shell = words[0] === 'new' ? {} : { shellFolder: app }
  await runCommand(words, { cwd: above, ...shell, write: put, complain: put })
  return lines.join('\n')
}

async function build(files: Readonly<Record<string, string>>, beside: Readonly<Record<string, string>>) {
  const [outputs, others] = [files, beside].map(
    (all) => new Map(Object.entries(all).map(([path, content]) => [path, encoder.encode(content)])),
  ) as [Map<string, Uint8Array>, Map<string, Uint8Array>]
  const manifest = printBuildManifest({
    ...({ brand: 'acme', environment: 'dev', target: 'web', version: '1.0.0' } as const),
    ...{ configHash: 'ab'.repeat(32), inputs: new Map(), outputs },
  })
  const list = new Map([['build-manifest.json', manifest]])
  const out = Object.keys(beside).length === 0 ? folder : join(above, 'out')
  return (await writeBuild({ out, deploy: folder, files: outputs, list, beside: others })).join()
}

const tools: Readonly<Record<string, Tool>> = {
  'the build of an app': {
    run: (text) => build({ 'index.html': text, 'assets/app.js': text }, {}),
    target: 'assets/app.js',
    file: 'left',
  },
  'the list of a build': {
    run: (text) => build({ 'index.html': text }, {}),
    target: 'build-manifest.json',
    file: 'left',
  },
  'the files for a host': {
    run: (text) => build({ 'index.html': text }, { 'etc/nginx.conf': text }),
    target: 'etc/nginx.conf',
    file: 'left',
  },
  'hailstone-brand assets': {
    prepare: async () => {
      await cp(join(app, 'brands/jamr'), join(above, 'brand'), { recursive: true })
    },
    run: () => brand('assets', join(above, 'brand'), '--only', 'web', '--out', folder),
    target: 'icons/icon-192.png',
    file: 'left',
  },
  'hailstone-brand language': {
    prepare: copyBrand,
    run: () => brand('language', 'nl', folder),
    target: 'i18n/nl.json',
    file: 'replaced',
  },
  'hailstone-brand language, the file before': {
    prepare: async () => {
      await copyBrand()
      await writeFile(join(folder, 'i18n/nl.json'), '{ }')
    },
    run: () => brand('language', 'nl', folder),
    target: 'i18n/nl.json.before',
    file: 'replaced',
  },
  'hailstone-brand promote, the file before': {
    prepare: copyBrand,
    run: (text) =>
      brand(
        ...['promote', folder, '--to', 'staging', '--yes'],
        ...['network.preset=mainnet', `token.hash=${'ab'.repeat(32)}`, `app.tagline=${text}`].flatMap(
          (one) => ['--set', one],
        ),
        ...[
          'network.poa=["wss://gate.acme.example/"]',
          'network.faucet=https://faucet.acme.example/',
        ].flatMap((one) => ['--set', one]),
      ),
    target: 'brand.ts.before',
    file: 'replaced',
  },
  'the wizard, a picture': {
    prepare: copyBrand,
    run: () => save(),
    target: 'assets/logo.svg',
    file: 'replaced',
  },
  'the wizard, the file before': {
    prepare: copyBrand,
    run: () => save(),
    target: 'brand.ts.before',
    file: 'replaced',
  },
  'hailstone-brand new': {
    prepare: () => mkdir(folder),
    run: () => brand('new', folder, '--name', 'Acme', '--network', 'devnet', '--token', 'ab'.repeat(32)),
    target: '.gitignore',
    file: 'left',
  },
  'create-hailstone': {
    run: async () => (await createFiles(folder, templateFiles('node', folder))).join(),
    target: 'src/miner.ts',
    file: 'left',
  },
  'npm run pack': {
    run: async (text) => {
      const index = { acme: { file: 'acme-0.1.0.tgz', dependencies: [] } }
      await writeArchives(folder, index, new Map([['acme-0.1.0.tgz', encoder.encode(text)]]))
      return ''
    },
    target: 'acme-0.1.0.tgz',
    file: 'left',
  },
}

async function save(): Promise<string> {
  const editor = await openBrandEditor(
    { brandFolder: folder, environment: 'dev', target: 'web', flags: {}, out: undefined },
    { mining: new Map(), wallet: new Map(), android: new Map() },
  )
  const logo = wizardFields.find(({ path }) => path === 'assets.logo')
  if (logo === undefined) throw new Error('no logo')
  editor.take(logo, [{ name: 'logo.svg', bytes: drawing }])
  editor.change({ path: 'app.tagline', value: 'Dig here' })
  await editor.save()
  return ''
}

const said = (running: Promise<string>): Promise<string> => running.catch((error: Error) => error.message)

/** Every path of a folder with what it is: where a link leads, what a file holds. */
async function stateOf(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const read = entries.map(async (entry) => {
    const at = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? await readFile(at, 'latin1') : entry.isSymbolicLink() ? 'link' : 'folder'
    return [at, content] as const
  })
  return new Map(await Promise.all(read))
}

describe.each(Object.entries(tools))('%s', (_, { prepare, run, target, file }) => {
  const at = (): string => join(folder, target)
  const outside = (): string => join(above, 'outside')
  beforeEach(async () => {
    await (prepare?.() ?? mkdir(folder))
    await mkdir(dirname(at()), { recursive: true })
    await rm(at(), { force: true })
    await mkdir(outside())
    await writeFile(join(outside(), 'secret'), 'theirs')
  })

  it('writes where nothing is in its way', async () => {
    const words = await said(run('one'))
    expect((await lstat(at())).isFile(), words).toBe(true)
  })

  it.each(['secret', 'missing'])('writes nothing through a link to a file: %s', async (name) => {
    await symlink(join(outside(), name), at())
    const before = await stateOf(above)
    expect(await said(run('one'))).toContain(`${target} is a link`)
    expect(await stateOf(above)).toStrictEqual(before)
  })

  it.skipIf(!target.includes('/'))('writes nothing through a folder that is a link', async () => {
    const [parent = ''] = target.split('/')
    await rm(join(folder, parent), { recursive: true })
    await symlink(outside(), join(folder, parent))
    expect(await said(run('one'))).toMatch(/is a link|a link that leads out|Fix the errors first/)
    expect(await readdir(outside())).toStrictEqual(['secret'])
  })

  it('leaves the other name of a file with two as it is', async () => {
    await link(join(outside(), 'secret'), at())
    await said(run('one'))
    expect(await readFile(join(outside(), 'secret'), 'utf8')).toBe('theirs')
  })

  it('leaves a folder of that name, and names it', async () => {
    await mkdir(join(at(), 'inner'), { recursive: true })
    expect(await said(run('one'))).toContain(`${target} is a folder`)
    expect(await readdir(at())).toStrictEqual(['inner'])
  })

  it(`has a file of that name ${file}`, async () => {
    await writeFile(at(), file === 'left' ? 'theirs' : '{}')
    const words = await said(run('one'))
    const isLeft = (await readFile(at(), 'utf8')) === (file === 'left' ? 'theirs' : '{}')
    expect(isLeft, words).toBe(file === 'left')
    if (isLeft) expect(words).toContain(target)
  })

  it('leaves a repository, a CNAME and a file of a person when it runs again', async () => {
    await run('one')
    await mkdir(join(folder, '.git'), { recursive: true })
    const own = ['.git/HEAD', 'CNAME', 'notes.tgz', `${target}.bak`]
    for (const path of own) await writeFile(join(folder, path), 'theirs')
    await said(run('two'))
    for (const path of own) expect(await readFile(join(folder, path), 'utf8')).toBe('theirs')
  })

  it.skipIf(process.getuid?.() !== 0)('changes nothing where it may not write, and says where', async () => {
    const before = await stateOf(folder)
    process.seteuid?.(65_534)
    const words = await said(run('one')).finally(() => process.seteuid?.(0))
    expect(await stateOf(folder)).toStrictEqual(before)
    expect(words).toMatch(/permission/)
  })
})

describe('npm run pack, after a version whose index has no digests', () => {
  const index = { acme: { file: 'hailstone-acme-0.1.0.tgz', dependencies: [] } }
  const write = (text: string) =>
    writeArchives(folder, index, new Map([['hailstone-acme-0.1.0.tgz', encoder.encode(text)]]))
  const earlier = async (file: string): Promise<void> => {
    await mkdir(folder)
    await writeFile(join(folder, 'packages.json'), JSON.stringify({ acme: { file, dependencies: [] } }))
    await writeFile(join(folder, file), 'old')
  }

  it.each(['hailstone-acme-0.1.0.tgz', 'hailstone-acme-0.0.9.tgz'])('replaces %s', async (file) => {
    await earlier(file)
    await write('new')
    expect((await readdir(folder)).toSorted()).toStrictEqual(['hailstone-acme-0.1.0.tgz', 'packages.json'])
    expect(await readFile(join(folder, 'hailstone-acme-0.1.0.tgz'), 'utf8')).toBe('new')
  })

  it('leaves files with other names than it gives', async () => {
    await earlier('theirs.tgz')
    await expect(write('new')).rejects.toThrow('packages.json is of somebody else')
    expect(await readFile(join(folder, 'theirs.tgz'), 'utf8')).toBe('old')
  })
})
