import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrandFolder, checkBrandOnline, createBrandProbe, writeFiles } from '@hailstone/brand/tools'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder, buildBrand } from '../tools/build-brand.ts'
import { brandFolder } from './app-harness.ts'
import { makeBrand, runBrand } from './brand-command.ts'

let network: LocalNetwork
let folder: string

beforeAll(async () => {
  network = await startLocalNetwork({ fallbackMiner: false })
  folder = await mkdtemp(join(tmpdir(), 'partner-'))
})
afterAll(async () => {
  await network?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Found = {
  readonly name: string
  readonly code: string
  readonly severity: string
  readonly path: string
}

async function onlineFindings(path: string, ...words: string[]): Promise<readonly Found[]> {
  const { said } = await runBrand(['check', path, '--online', '--json', ...words])
  return (JSON.parse(said) as { readonly findings: readonly Found[] }).findings
}

describe('a partner at the command line', () => {
  it('check 2: hears in two different ways of a token that is not mineable and of one that is not there; nothing is built', async () => {
    const { id } = network.tokens.fixed
    const path = await makeBrand('second', { folder, network, tokenId: id })
    const out = join(folder, 'second-out')
    const [barren] = (await onlineFindings(path)).filter(({ path: place }) => place === 'token.hash')
    expect(barren).toMatchObject({ name: 'token-not-mineable', severity: 'error' })
    const refused = await runBrand(['build', path, '--online', '--out', out])
    expect(refused.code).toBe(1)
    expect(refused.said).toMatch(
      /token-not-mineable {2}token\.hash[\s\S]*found[\s\S]*fix[\s\S]*Nothing was built/,
    )
    await expect(readdir(out)).rejects.toThrow()
    const at = [...id].findIndex((digit, index) => digit !== id[index + 1])
    const swapped = `${id.slice(0, at)}${id[at + 1]}${id[at]}${id.slice(at + 2)}`
    const unknown = await onlineFindings(path, '--set', `token.hash=${swapped}`)
    expect(unknown).toContainEqual(expect.objectContaining({ name: 'token-not-found', path: 'token.hash' }))
    expect(unknown.map(({ code }) => code)).not.toContain(barren?.code)
  })

  it('check 3: is warned in dev and stopped in prod for a wrong ticker, wrong decimals and a test network', async () => {
    const path = await makeBrand('third', { folder, network })
    const severities = async (environment: 'dev' | 'prod') => {
      const flags = { token: { ticker: 'OTHER', decimals: 3, display: { fractionMax: 2 } } }
      const report = await checkBrandFolder({ folder: path, environment, target: 'web', flags })
      if (report.brand === null) throw new Error('not resolved')
      await using probe = createBrandProbe({ apiUrl: network.apiUrl })
      const found = await checkBrandOnline({ brand: report.brand, target: 'web', probe })
      return found
        .filter(({ path: place }) => place.startsWith('token.'))
        .map(({ severity, name }) => `${severity} ${name}`)
    }
    expect(await severities('dev')).toEqual(['warning ticker-differs', 'warning decimals-differ'])
    expect(await severities('prod')).toEqual(['error ticker-differs', 'error decimals-differ'])
    const testnet = ['check', path, '--set', 'network.preset=testnet']
    expect((await runBrand([...testnet, '--env', 'prod'])).said).toContain('test-network-in-production')
    expect((await runBrand(testnet)).said).not.toContain('test-network-in-production')
  })

  it('check 5: draws every picture from one SVG', async () => {
    const path = await makeBrand('fifth', { folder, network })
    const out = join(folder, 'fifth-pictures')
    const { code, said } = await runBrand([
      'assets',
      path,
      '--out',
      out,
      '--only',
      'web',
      '--only',
      'android',
    ])
    expect(code, said).toBe(0)
    const names = (await readdir(out, { recursive: true })).join('\n')
    for (const name of [
      /icon.*192/,
      /icon.*512/,
      /maskable.*512/,
      /apple-touch-icon/,
      /favicon\.ico/,
      /social-card/,
      /xxxhdpi/,
    ])
      expect(names).toMatch(name)
  })

  it('check 6: has nothing of another brand in the own app: no text, colour or picture', async () => {
    const [one, other] = ['tidewater', 'jamr'] as const
    const built = async (name: string) => {
      const out = join(folder, `${name}-out`)
      const report = await checkBrandFolder({
        folder: brandFolder(name),
        environment: 'dev',
        target: 'web',
      })
      await writeFiles(out, (await buildBrand(report, out)).files)
      const files = await readdir(out, { recursive: true, withFileTypes: true })
      const read = files
        .filter((file) => file.isFile())
        .map(async (file) => readFile(join(file.parentPath, file.name)))
      const contents = await Promise.all(read)
      const manifest = JSON.parse(await readFile(join(out, 'manifest.webmanifest'), 'utf8')) as {
        readonly id: string
      }
      return { contents, text: contents.map((bytes) => bytes.toString('latin1')).join('\n'), manifest }
    }
    const [ours, theirs] = [await built(one), await built(other)]
    const own = {
      tidewater: [/tidewater/i, /0e7c8c/i, /set sail/i],
      jamr: [/jamr/i, /b3400e/i, /Souk Exchange/],
    }
    for (const word of own.tidewater) {
      expect(ours.text).toMatch(word)
      expect(theirs.text).not.toMatch(word)
    }
    for (const word of own.jamr) {
      expect(theirs.text).toMatch(word)
      expect(ours.text).not.toMatch(word)
    }
    const isPicture = (bytes: Buffer): boolean => bytes.subarray(1, 4).toString() === 'PNG'
    const pictures = ({ contents }: typeof ours) =>
      contents.filter(isPicture).map((one) => one.toString('base64'))
    expect(pictures(ours).length).toBeGreaterThan(3)
    expect(pictures(ours).filter((picture) => pictures(theirs).includes(picture))).toEqual([])
    // Browsers identify installed apps by this.
    expect(ours.manifest.id).not.toBe(theirs.manifest.id)
  })

  it('check 6: builds several brands in one run, each into a folder of its own', async () => {
    const out = join(folder, 'several')
    const bin = join(appFolder(), 'bin/hailstone-brand.js')
    const run = (...words: string[]) => spawnSync(process.execPath, [bin, 'build', ...words, '--out', out])
    expect(run('tidewater', 'jamr').status).toBe(0)
    for (const name of ['tidewater', 'jamr']) {
      const page = await readFile(join(out, name, 'index.html'), 'utf8')
      expect(page.toLowerCase()).toContain(`<title>${name}`)
    }
    expect(run('tidewater', 'nobody').status).toBe(1)
  })

  it('check 7: words two texts anew, and hears of a key that is not there and of a value that was dropped', async () => {
    const path = join(folder, 'tidewater')
    await cp(brandFolder('tidewater'), path, { recursive: true })
    await writeFile(
      join(path, 'i18n/ru.json'),
      JSON.stringify({
        'mine.start': 'Поднять паруса',
        'tabs.rewards': 'Жемчуг',
        'tabs.walet': 'Сундук',
        'welcome.title': 'Здравствуйте',
      }),
    )
    const languages = ['--set', 'i18n.enabled=["en","ru"]']
    const { code, said } = await runBrand(['check', path, ...languages])
    expect(code).toBe(1)
    expect(said).toMatch(/string-key-unknown {2}i18n\/ru\.json#tabs\.walet[\s\S]*Did you mean "tabs\.wallet"/)
    expect(said).toMatch(/string-placeholder-missing {2}i18n\/ru\.json#welcome\.title[\s\S]*\{\{app\}\}/)
    expect(said).toContain('2 errors')
  })
})
