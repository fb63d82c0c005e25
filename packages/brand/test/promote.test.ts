import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../src/command/run-command.ts'
import { checkBrandFolder } from '../src/files/check-brand-folder.ts'
import { circle } from './good-brand.ts'

const [testHash, ownHash] = ['ab'.repeat(32), 'cd'.repeat(32)]
const source = `import { defineBrand } from '@hailstone/white-label'

// Ours.
export default defineBrand({
  schema: 1,
  id: 'acme',
  app: { name: 'Acme Mining', homepage: 'https://acme.example' }, // as on the sign
  token: { hash: '${testHash}', ticker: 'ACME', decimals: 8 },
  network: { preset: 'testnet', poa: ['wss://test.acme.example/'] },
  referral: { linkBase: 'https://acme.example/i/' },
  theme: { primary: '#3a6ea5' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
  environments: {
    dev: {
      // Tried since May.
      app: { tagline: 'Dig' },
      features: { receive: false },
      network: { explorer: 'https://test.acme.example/' },
    },
    // What differs when the app goes public.
    prod: {},
  },
})
`
const production = [
  ...['network.preset=mainnet', 'network.poa=["wss://gate.acme.example/"]', `token.hash=${ownHash}`],
  ...['links.terms=https://acme.example/terms', 'links.privacy=https://acme.example/privacy'],
].flatMap((setting) => ['--set', setting])

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'promote-'))
  await mkdir(join(cwd, 'assets'))
  await writeFile(join(cwd, 'assets/logo.svg'), circle)
  await writeFile(join(cwd, 'assets/icon.svg'), circle)
  await writeFile(join(cwd, 'brand.ts'), source)
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

async function promote(words: readonly string[], answer?: string | (() => Promise<string>)) {
  const lines: string[] = []
  const asked: string[] = []
  const put = (line: string) => void lines.push(line)
  const ask = async (question: string): Promise<string> => {
    asked.push(question)
    return typeof answer === 'function' ? answer() : (answer ?? '')
  }
  const io = { cwd, write: put, complain: put, ...(answer === undefined ? {} : { ask }) }
  const code = await runCommand(['promote', ...words], io)
  return { code, said: lines.join('\n'), asked }
}

const text = (): Promise<string> => readFile(join(cwd, 'brand.ts'), 'utf8')

async function expectUntouched(): Promise<void> {
  expect(await text()).toBe(source)
  expect((await readdir(cwd)).toSorted()).toStrictEqual(['assets', 'brand.ts'])
}

describe('hailstone-brand promote', () => {
  it('stops a test network and the token of one, says how to give others, and writes nothing', async () => {
    const first = await promote(['--yes'])
    expect([first.code, first.said]).toStrictEqual([1, expect.stringContaining('test-network-in-production')])
    expect(first.said).toContain(
      'Nothing was written: fix the errors first. The settings of prod can be given',
    )
    const without = production.filter((word, index) => !`${word}${production[index + 1]}`.includes(ownHash))
    const second = await promote([...without, '--yes'])
    expect(second.said).toMatch(/E112 test-token-in-production {2}token\.hash[\s\S]*abab[\s\S]*1 error/)
    expect(second.code).toBe(1)
    await expectUntouched()
  })

  it('says in sentences what changes and what stays different, asks, and writes with the comments kept', async () => {
    const { code, said, asked } = await promote(production, 'y')
    expect(code, said).toBe(0)
    for (const sentence of [
      'From dev to prod these settings change:',
      `  token.hash was "${testHash}" in prod and becomes "${ownHash}".`,
      '  network.preset was "testnet" in prod and becomes "mainnet".',
      '  features.receive was true in prod and becomes false.',
      '  app.tagline was not set in prod and becomes "Dig".',
      '  links.terms was not set in prod and becomes "https://acme.example/terms".',
      'dev and prod stay different in:',
      `  token.hash is "${testHash}" in dev and "${ownHash}" in prod.`,
      '  network.explorer is "https://test.acme.example/" in dev and not set in prod.',
    ])
      expect(said.split('\n')).toContain(sentence)
    expect(asked).toStrictEqual(['Write this into brand.ts? (y/N) '])
    const written = await text()
    // The whole difference is inside prod.
    const at = source.indexOf('prod: {') + 'prod: {'.length
    expect([written.slice(0, at), written.slice(-(source.length - at))]).toStrictEqual([
      source.slice(0, at),
      source.slice(at),
    ])
    expect(await readFile(join(cwd, 'brand.ts.before'), 'utf8')).toBe(source)
    const { brand } = await checkBrandFolder({ folder: cwd, environment: 'prod', target: 'web' })
    expect(brand).toMatchObject({
      app: { tagline: 'Dig' },
      token: { hash: ownHash },
      network: { preset: 'mainnet', poa: ['wss://gate.acme.example/'], explorer: null },
      features: { receive: false },
    })
    const again = await promote([])
    expect([again.code, again.said]).toStrictEqual([
      0,
      expect.stringContaining('Nothing to do: brand.ts stays'),
    ])
    expect(again.said).toContain('Nothing changes in prod')
  })

  it('writes nothing if the brand was changed while it asked', async () => {
    const elsewhere = source.replace(testHash, ownHash)
    expect(elsewhere).not.toBe(source)
    const { code, said } = await promote(production, async () => {
      await writeFile(join(cwd, 'brand.ts'), elsewhere)
      return 'y'
    })
    expect([code, said.split('\n').at(-1)]).toStrictEqual([
      1,
      'brand.ts was changed meanwhile: nothing was written. Run the command again.',
    ])
    expect(await text()).toBe(elsewhere)
  })

  it('writes nothing without a yes, a terminal or --yes, and nothing with --dry-run', async () => {
    const declined = await promote(production, '')
    expect([declined.code, declined.said.split('\n').at(-1)]).toStrictEqual([1, 'Nothing was written.'])
    const silent = await promote(production)
    expect([silent.code, silent.said]).toStrictEqual([1, expect.stringContaining('no terminal to ask at')])
    const dry = await promote([...production, '--dry-run', '--yes'])
    expect([dry.code, dry.said]).toStrictEqual([0, expect.stringContaining('and becomes "mainnet"')])
    await expectUntouched()
    expect((await promote([...production, '--yes'])).code).toBe(0)
    expect(await text()).not.toBe(source)
  })

  it('keeps what a later environment has of its own, and goes by way of staging', async () => {
    const own = source.replace(
      'prod: {}',
      "prod: { features: { stats: false }, app: { tagline: 'Dig deep' } }",
    )
    await writeFile(join(cwd, 'brand.ts'), own)
    expect((await promote(['--to', 'staging', '--yes'])).code).toBe(0)
    const { said } = await promote(['--from', 'staging', ...production, '--yes'])
    expect(said).toContain('  app.tagline was "Dig deep" in prod and becomes "Dig".')
    expect(said).toContain('  features.stats is true in staging and false in prod.')
    expect(await text()).toContain('// Tried since May.')
  })

  it('asks the network of the later environment, and ends with 2 when that does not answer', async () => {
    const network = {
      preset: 'custom',
      api: 'https://api.acme.example/api/v1',
      poa: ['wss://gate.acme.example/'],
      nativeToken: ownHash,
    }
    const words = ['--to', 'staging', '--set', `network=${JSON.stringify(network)}`, '--yes']
    const asked = await promote([...words, '--online'])
    expect([asked.code, asked.said]).toStrictEqual([2, expect.stringContaining('network-unreachable')])
    await expectUntouched()
  })

  it.each([
    [['--from', 'prod', '--to', 'dev'], 'not from prod to dev'],
    [['--from', 'dev', '--to', 'dev'], 'not from dev to dev'],
    [['--from', 'test'], 'dev, staging, prod; found --from "test"'],
    [['--to', 'production'], 'found --to "production"'],
    [['acme', 'other'], 'other is too much'],
    [['--env', 'prod'], 'no option --env'],
  ])('refuses %j', async (words, why) => {
    const { code, said } = await promote(words)
    expect([code, said]).toStrictEqual([1, expect.stringContaining(why)])
    await expectUntouched()
  })

  it('names the line of a brand that computes its environment, and writes nothing', async () => {
    const own = source.replace('prod: {}', 'prod: Object.assign({})')
    await writeFile(join(cwd, 'brand.ts'), own)
    const { code, said } = await promote([...production, '--yes'])
    expect([code, said]).toStrictEqual([1, expect.stringMatching(/brand\.ts, line 21: .* is computed/)])
    expect(await text()).toBe(own)
  })
})
