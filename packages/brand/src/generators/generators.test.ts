import { isNodeError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { blockFonts } from '../../test/block-fonts.ts'
import { brandWith, bytesOf, filesWith, goodBrand, goodFiles, goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { applyTheme } from '../runtime/apply-theme.ts'
import { readRuntimeBrand } from '../runtime/read-runtime-brand.ts'
import { deriveTheme } from '../theme/derive-theme.ts'
import { appleAppSiteAssociation, assetLinks } from './association-files.ts'
import { connectSources, contentSecurityPolicy } from './content-security-policy.ts'
import { runtimeBrand } from './runtime-brand.ts'
import { textFiles } from './text-files.ts'
import { webManifest } from './web-manifest.ts'

function resolved(config: unknown = goodBrand): ResolvedBrand {
  const { brand } = checkBrand({ source: { ...goodSource, config } })
  if (brand === null) throw new Error('not resolved')
  return brand
}

const codeOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    return isNodeError(error) ? error.code : 'OTHER'
  }
  return 'NONE'
}

describe('the fonts of textFiles', () => {
  const weightsOf = (fonts: readonly Uint8Array[]): readonly (string | undefined)[] => {
    const files = fonts.map((bytes, index) => [`fonts/${index}.woff2`, bytes] as const)
    const font = { family: 'Block Sans', files: files.map(([path]) => path), licence: 'OFL-1.1' }
    const made = textFiles(resolved(brandWith('theme.font', font)), new Map([...goodFiles, ...files]))
    const css = new TextDecoder().decode(made.get('brand/theme.css'))
    return [...css.matchAll(/@font-face\{[^}]*font-weight:([\d ]+)/g)].map(([, weight]) => weight)
  }

  it('gives the single file of a family all weights only if it has them', () => {
    const { regular, bold, variable } = blockFonts
    expect(weightsOf([variable])).toEqual(['100 900'])
    expect(weightsOf([regular])).toEqual(['400'])
    expect(weightsOf([regular, bold])).toEqual(['400', '600'])
  })
})

describe('S-9: contentSecurityPolicy', () => {
  it('allows nothing but the page itself and the connections of the network section', () => {
    expect(contentSecurityPolicy(resolved())).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self' https://api.acme.example wss://gate.acme.example; worker-src 'self'; manifest-src 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; " +
        'trusted-types hailstone',
    )
  })

  it('leaves out of the page what only a header may say', () => {
    expect(contentSecurityPolicy(resolved(), 'meta')).not.toContain('frame-ancestors')
  })

  it('names origins only, each once', () => {
    const config = brandWith('network.faucet', 'https://api.acme.example/faucet;script-src')
    expect(connectSources(resolved(config))).toEqual([
      "'self'",
      'https://api.acme.example',
      'wss://gate.acme.example',
    ])
  })

  it('names the host of a feed of incidents, if the brand has one', () => {
    const config = brandWith('links.statusFeed', 'https://status.acme.example/api/v2/summary.json')
    expect(connectSources(resolved(config))).toEqual([
      ...connectSources(resolved()),
      'https://status.acme.example',
    ])
  })

  it('opens to no host for a setting that changes nothing or asks nobody else', () => {
    const known = connectSources(resolved())
    const asked = [
      brandWith('network.allowCustom', true),
      brandWith('network.userSelectable', true),
      // The network itself reports the price.
      brandWith('features.fiat', true),
      brandWith('telemetry', { enabled: true, dsn: 'https://errors.acme.example/1' }),
      brandWith('update', { source: 'url', url: 'https://updates.acme.example/versions.json' }),
    ]
    for (const config of asked) expect(connectSources(resolved(config))).toEqual(known)
  })
})

describe('runtimeBrand', () => {
  it('is what the shell reads back, to the last member', () => {
    const brand = runtimeBrand(resolved(), goodFiles)
    expect(readRuntimeBrand(JSON.stringify(brand))).toEqual(brand)
    expect(Object.isFrozen(readRuntimeBrand(JSON.stringify(brand)).network)).toBe(true)
  })

  it('names what users cannot change', () => {
    const agent = { defaultAgent: `02${'1'.repeat(64)}`, userCanChange: false }
    expect(runtimeBrand(resolved(brandWith('referral', agent)), goodFiles).locked).toEqual([
      'token',
      'network',
      'agent',
    ])
    expect(runtimeBrand(resolved(), goodFiles).locked).toEqual(['token', 'network'])
  })

  it('holds nothing of packages, signing and environments', () => {
    const config = {
      ...goodBrand,
      native: { android: { applicationId: 'example.acme' } },
      environments: { prod: {} },
    }
    expect(JSON.stringify(runtimeBrand(resolved(config), goodFiles))).not.toMatch(
      /applicationId|environments|splash/,
    )
  })

  it.each([
    [
      'another colour',
      (brand: Record<string, Record<string, unknown>>) =>
        Object.assign(brand.theme?.light ?? {}, { primary: 'red;}' }),
    ],
    [
      'a script link',
      (brand: Record<string, Record<string, unknown>>) =>
        Object.assign(brand.links ?? {}, { terms: 'javascript:alert(1)' }),
    ],
    [
      'an unknown member',
      (brand: Record<string, Record<string, unknown>>) => Object.assign(brand, { evil: true }),
    ],
    [
      'another socket',
      (brand: Record<string, Record<string, unknown>>) =>
        Object.assign(brand.network ?? {}, { poa: ['http://evil.example'] }),
    ],
    [
      'a half agent',
      (brand: Record<string, Record<string, unknown>>) =>
        Object.assign(brand.referral ?? {}, { defaultAgent: '02' }),
    ],
    [
      'a path out of the folder',
      (brand: Record<string, Record<string, unknown>>) =>
        Object.assign(brand.assets ?? {}, { logo: '../x.svg' }),
    ],
  ])('is refused at load with %s', (_, change) => {
    const brand = structuredClone(runtimeBrand(resolved(), goodFiles)) as unknown as Record<
      string,
      Record<string, unknown>
    >
    change(brand)
    expect(codeOf(() => readRuntimeBrand(JSON.stringify(brand)))).toBe('CONFIGURATION_INVALID')
  })

  it('is refused at load when it is no JSON or far too long', () => {
    expect(codeOf(() => readRuntimeBrand('{'))).toBe('CONFIGURATION_INVALID')
    expect(codeOf(() => readRuntimeBrand(' '.repeat(70_000)))).toBe('CONFIGURATION_INVALID')
  })
})

describe('webManifest', () => {
  it('names the app, its icons and an id of its own', () => {
    const brand = resolved()
    const manifest = webManifest(brand, deriveTheme(brand.theme).theme)
    expect(manifest).toMatchObject({
      id: '/?brand=acme',
      name: 'Acme Mining',
      display: 'standalone',
      dir: 'ltr',
    })
    expect(manifest.icons).toHaveLength(4)
    // Loading the open window again would lose the key in its memory.
    expect(manifest.launch_handler).toEqual({ client_mode: 'focus-existing' })
  })
})

describe('association files', () => {
  it('wait for certificates and team', () => {
    const android = { applicationId: 'example.acme' }
    const ios = { bundleId: 'example.acme' }
    const brand = resolved({ ...goodBrand, native: { android, ios } })
    expect([assetLinks(brand), appleAppSiteAssociation(brand)]).toEqual([null, null])
  })

  it('name the application once they are there', () => {
    const signingFingerprints = [`${'AB:'.repeat(31)}AB`]
    const native = {
      android: { applicationId: 'example.acme', signingFingerprints },
      ios: { bundleId: 'example.acme', teamId: 'ABCDE12345' },
    }
    const brand = resolved({ ...goodBrand, native })
    expect(JSON.stringify(assetLinks(brand))).toContain('"package_name":"example.acme"')
    const apple = JSON.stringify(appleAppSiteAssociation(brand))
    expect(apple).toContain('ABCDE12345.example.acme')
    expect(apple).not.toContain('/sign-in')
    const links = { signIn: ['https://shop.example/signed-in'] }
    const asked = resolved({ ...goodBrand, native, links })
    expect(JSON.stringify(appleAppSiteAssociation(asked))).toContain('{"/":"/sign-in"}')
  })
})

describe('textFiles', () => {
  it('writes the same bytes for the same brand, and words only of enabled languages', () => {
    const files = new Map([
      ...filesWith('i18n/de.json', bytesOf('{"tabs":{"mine":"Schürfen"}}')),
      ['i18n/fr.json', bytesOf('{}')],
    ])
    const brand = resolved(brandWith('i18n', { default: 'en', enabled: ['en', 'de'] }))
    const first = textFiles(brand, files)
    expect(textFiles(brand, files)).toEqual(first)
    expect([...first.keys()].sort()).toEqual([
      '_headers',
      'brand/brand.json',
      'brand/i18n/de.json',
      'brand/icon.svg',
      'brand/logo.svg',
      'brand/theme.css',
      'manifest.webmanifest',
    ])
    expect(new TextDecoder().decode(first.get('brand/i18n/de.json'))).toContain('"tabs.mine": "Schürfen"')
  })
})

describe('applyTheme', () => {
  it('sets custom properties one by one', () => {
    const set = new Map<string, string>()
    const { theme } = deriveTheme(resolved().theme)
    applyTheme({ style: { setProperty: (name, value) => void set.set(name, value) } }, theme, 'dark')
    expect(set.get('--color-primary')).toBe(theme.dark.primary)
    expect(set.get('color-scheme')).toBe('dark')
    expect([...set.values()].join()).not.toMatch(/[{};]|url/)
  })
})
