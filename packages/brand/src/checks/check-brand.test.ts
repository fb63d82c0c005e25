import { describe, expect, it } from 'vitest'
import { brandWith, bytesOf, filesWith, goodBrand, goodFiles, goodSource } from '../../test/good-brand.ts'
import type { FindingName } from '../findings/codes.ts'
import { removedSettings } from '../layers/removed-settings.ts'
import { brandableStrings } from '../strings/string-catalogue.ts'
import { type CheckBrandParameters, checkBrand, isBuildable } from './check-brand.ts'
import { idleSettings } from './setting-rules.ts'

type Options = Omit<CheckBrandParameters, 'source'>

const check = (config: unknown, options: Options = {}) =>
  checkBrand({ ...options, source: { ...goodSource, config } })

const summary = (config: unknown, options?: Options): readonly string[] =>
  check(config, options).findings.map(({ name, severity, path }) => `${severity} ${name} ${path}`)

const names = (config: unknown, options?: Options): readonly FindingName[] =>
  check(config, options).findings.map(({ name }) => name)

describe('checkBrand', () => {
  it('finds nothing wrong with a good brand in dev, staging and prod', () => {
    for (const environment of ['dev', 'staging', 'prod'] as const) {
      const report = checkBrand({ source: goodSource, environment })
      expect(report.findings).toEqual([])
      expect(isBuildable(report)).toBe(true)
      expect(report.configHash).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('fills defaults, also those that depend on other settings', () => {
    const { brand } = check(goodBrand)
    expect(brand?.app.shortName).toBe('Acme Mining')
    expect(brand?.token.display).toEqual({ symbol: 'ACME', fractionMax: 6 })
    expect(brand?.referral.linkBase).toBe(null)
    expect(brand?.deepLink).toEqual({ scheme: 'acme', hosts: ['acme.example'] })
    expect(brand?.features.invite).toBe(true)
    expect(brand?.mining.minBattery).toBe(20)
    expect(check(brandWith('referral.enabled', false)).brand?.features.invite).toBe(false)
  })

  it('shortens a name to the words that fit under an icon', () => {
    const short = (name: string) => check(brandWith('app.name', name)).brand?.app.shortName
    expect(short('Kelp Mining')).toBe('Kelp Mining')
    expect(short('Partner first')).toBe('Partner')
    expect(short('Twelve chars and more')).toBe('Twelve chars')
    expect(short('Unseparatedname')).toBe('Unseparatedn')
  })

  it('merges environments and flags over the brand, lists whole', () => {
    const config = brandWith('environments', {
      prod: { app: { name: 'Acme' }, network: { poa: ['wss://a.acme.example', 'wss://b.acme.example'] } },
    })
    const flags = { network: { poa: ['wss://c.acme.example'] } }
    expect(check(config).brand?.app.name).toBe('Acme Mining')
    expect(check(config, { environment: 'prod' }).brand?.network.poa).toHaveLength(2)
    const { brand } = check(config, { environment: 'prod', flags })
    expect(brand?.app).toMatchObject({ name: 'Acme', homepage: 'https://acme.example' })
    expect(brand?.network.poa).toEqual(['wss://c.acme.example'])
  })

  it('names the layer a wrong value stands in', () => {
    const config = brandWith('environments', {
      prod: { theme: { primary: 'blue' }, links: { terms: 'http://acme.example' } },
    })
    expect(summary(config)).toEqual(['error colour-malformed environments.prod.theme.primary'])
    const weak = brandWith('environments', { prod: { theme: { primary: '#ffe600' } } })
    expect(summary(weak, { environment: 'prod' })).toEqual([
      'error contrast-too-low environments.prod.theme.primary',
    ])
    expect(summary(goodBrand, { flags: { network: { api: 'ftp://x.example' } } })).toEqual([
      'error scheme-refused --set network.api',
    ])
  })

  it('asks for what is missing only when no layer has it', () => {
    const hash = 'cd'.repeat(32)
    const config = {
      ...(brandWith('token.hash', undefined) as object),
      environments: { prod: { token: { hash } } },
    }
    expect(summary(config)).toEqual(['error required-missing token.hash'])
    expect(summary(config, { environment: 'prod' })).toEqual([])
  })

  it('says which key was probably meant', () => {
    const [inside] = check(brandWith('app.tagLine', 'x')).findings
    expect(inside).toMatchObject({ code: 'E007', path: 'app.tagLine', fix: 'Did you mean "tagline"?' })
    const [elsewhere] = check(brandWith('primary', '#123456')).findings
    expect(elsewhere?.fix).toContain('theme.primary')
  })

  it('freezes the finished brand to its depth', () => {
    const { brand } = check(goodBrand)
    expect(Object.isFrozen(brand?.network.poa)).toBe(true)
    expect(Object.isFrozen(goodBrand.network)).toBe(false)
  })

  it('gives equal configurations equal hashes, whatever the order of keys', () => {
    const turned = Object.fromEntries(Object.entries(goodBrand).reverse())
    expect(check(turned).configHash).toBe(check(goodBrand).configHash)
    expect(check(brandWith('app.name', 'Acme')).configHash).not.toBe(check(goodBrand).configHash)
  })

  it('is stricter in prod', () => {
    const preset = { ...goodBrand, network: { preset: 'testnet', poa: ['wss://gate.acme.example'] } }
    expect(names(preset)).toEqual([])
    expect(names(preset, { environment: 'prod' })).toEqual(['test-network-in-production'])
    expect(summary(brandWith('links', undefined), { environment: 'prod' })).toEqual([
      'error legal-link-missing links.terms',
      'error legal-link-missing links.privacy',
    ])
    expect(names(brandWith('token', { hash: 'ab'.repeat(32) }), { environment: 'prod' })).toEqual([
      'token-unstated',
    ])
    expect(names(brandWith('app.supportEmail', undefined), { environment: 'prod' })).toEqual([
      'contact-missing',
    ])
  })

  it('names each setting that changes nothing, and none that asks for nothing', () => {
    const asking: Readonly<Record<string, unknown>> = {
      'mining.thermalPause': true,
      'update.source': 'url',
      'update.url': 'https://acme.example/versions.json',
      'update.mode': 'quiet',
    }
    expect(Object.keys(asking)).toEqual(idleSettings)
    for (const [path, value] of Object.entries(asking)) {
      expect(summary(brandWith(path, value)), path).toContain(`warning setting-without-effect ${path}`)
      if (value === true) expect(names(brandWith(path, false)), path).toEqual([])
    }
    const android = { target: 'android' } as const
    expect(names(brandWith('mining', { thermalPause: true }), android)).not.toContain(
      'setting-without-effect',
    )
    expect(names(brandWith('mining', { thermalPause: true, screenOff: 'off' }), android)).toContain(
      'setting-without-effect',
    )
    expect(summary(brandWith('environments', { dev: { mining: { thermalPause: true } } }))).toEqual([
      'warning setting-without-effect environments.dev.mining.thermalPause',
    ])
    expect(names(goodBrand)).toEqual([])
  })

  it('reads a brand that still has settings of earlier releases, in every layer, as if they were not there', () => {
    const had: Readonly<Record<string, unknown>> = {
      'network.userSelectable': true,
      'network.allowCustom': false,
      telemetry: { enabled: true, dsn: 'https://errors.acme.example/1' },
      'update.source': 'ver',
    }
    expect(Object.keys(had)).toEqual(Object.keys(removedSettings))
    const known = check(goodBrand)
    for (const [path, value] of Object.entries(had)) {
      const { findings, configHash } = check(brandWith(path, value))
      expect(findings.map((one) => `${one.severity} ${one.name} ${one.path}`)).toEqual([
        `warning setting-removed ${path}`,
      ])
      expect(findings[0]?.fix).toMatch(/^Remove it: \S/)
      expect(configHash, path).toBe(known.configHash)
    }
    const layers = { dev: { telemetry: { enabled: true } }, prod: { network: { allowCustom: true } } }
    expect(
      summary(brandWith('environments', layers), { flags: { network: { userSelectable: true } } }),
    ).toEqual([
      'warning setting-removed environments.dev.telemetry',
      'warning setting-removed environments.prod.network.allowCustom',
      'warning setting-removed --set network.userSelectable',
    ])
  })

  it('still refuses a secret in a setting that is not read, and what only resembles one', () => {
    const secret = brandWith('telemetry.dsn', `https://errors.acme.example/${'e5'.repeat(32)}`)
    expect(names(secret)).toContain('secret-in-file')
    expect(names(brandWith('telemetri', {}))).toEqual(['unknown-key'])
    expect(names(brandWith('network', 'telemetry'))).toContain('wrong-type')
  })

  it('wants a text for a version, and each of its languages once among those of the app', () => {
    expect(summary({ ...(brandWith('links', {}) as object), legal: { version: '2' } })).toEqual([
      'error legal-version-without-text legal.version',
    ])
    const terms = 'https://acme.example/terms'
    const translated = (...translations: readonly object[]) => ({
      ...(brandWith('links', { terms }) as object),
      i18n: { enabled: ['en', 'de'] },
      legal: { version: '2', translations },
    })
    const german = { language: 'de', terms: 'https://acme.example/agb' }
    const { brand } = check(translated(german))
    expect(brand?.legal).toEqual({
      version: '2',
      minimumAge: null,
      translations: [{ language: 'de', terms: german.terms, privacy: null }],
    })
    expect(check(translated({ language: 'de' })).brand?.legal.translations[0]?.terms).toBe(terms)
    expect(
      summary(translated(german, { language: 'fr' }, { ...german, terms: 'ftp://acme.example/' })),
    ).toEqual([
      'error scheme-refused legal.translations[2].terms',
      'warning legal-language-unused legal.translations[1].language',
      'error legal-language-repeated legal.translations[2].language',
    ])
  })

  it('lets local addresses pass in dev only', () => {
    const local = { ...goodBrand, network: { preset: 'devnet' } }
    expect(names(local)).toEqual([])
    expect(names(local, { environment: 'staging' })).toContain('host-private')
  })

  it('lets Android apps speak unencrypted, with a warning', () => {
    const plain = {
      ...(brandWith('network.poa', ['ws://gate.acme.example']) as object),
      native: { android: { applicationId: 'example.acme' } },
    }
    expect(summary(plain)).toEqual(['error scheme-insecure network.poa[0]'])
    expect(summary(plain, { target: 'android' })).toEqual(['warning cleartext-traffic network.poa[0]'])
  })

  it('says that presets need a gateway browsers can reach', () => {
    expect(summary(brandWith('network', { preset: 'mainnet' }))).toEqual([
      'error scheme-insecure network.poa',
    ])
  })

  it('knows what the stores refuse', () => {
    expect(names(goodBrand, { target: 'android' })).toEqual(['android-missing'])
    expect(names(goodBrand, { target: 'ios' })).toEqual([
      'referral-on-ios',
      'ios-missing',
      'ios-mines-nothing',
    ])
    const play = brandWith('native', { android: { applicationId: 'example.acme', channel: 'play' } })
    expect(names(play)).toEqual(['play-forbids-mining'])
  })

  it('warns of what weakens users', () => {
    const lax = {
      ...goodBrand,
      network: { preset: 'mainnet', poa: ['wss://gate.acme.example'] },
      security: { lock: 'optional', requireBackup: false },
      referral: { defaultAgent: `02${'1'.repeat(64)}`, userCanChange: false },
    }
    expect(names(lax)).toEqual(['agent-locked', 'lock-weak', 'backup-optional'])
    expect(check(lax).findings.every(({ severity }) => severity === 'warning')).toBe(true)
  })

  it('reads an agent as address or code', () => {
    const agent = `02${'1'.repeat(64)}`
    expect(check(brandWith('referral.defaultAgent', agent.toUpperCase())).brand?.referral.defaultAgent).toBe(
      agent,
    )
  })

  it('gates contrast by mode and proposes a colour that passes', () => {
    const [light] = check(brandWith('theme.primary', '#FFE600')).findings
    expect(light).toMatchObject({ name: 'contrast-too-low', path: 'theme.primary', severity: 'error' })
    expect(light?.found).toContain('light mode')
    const [dark] = check(brandWith('theme.primary', '#1A1A2E')).findings
    expect(dark?.fix).toMatch(/^Set theme\.dark\.primary to "#[0-9a-f]{6}"/)
    expect(names(brandWith('theme', { primary: '#FFE600', contrast: 'fix' }))).toEqual([])
    const [warned] = check(brandWith('theme', { primary: '#FFE600', contrast: 'warn' })).findings
    expect(warned?.severity).toBe('warning')
    const proposal = /"(#[0-9a-f]{6})"/.exec(dark?.fix ?? '')?.[1]
    expect(names(brandWith('theme', { primary: '#1A1A2E', dark: { primary: proposal } }))).toEqual([])
  })

  it('warns of an accent nobody can tell from the primary colour', () => {
    expect(names(brandWith('theme.accent', '#3a6ea6'))).toEqual(['accent-like-primary'])
  })

  it('takes good overrides and names the bad ones', () => {
    const overrides = {
      mine: { start: 'Los', stop: 'Halt', strat: 'x' },
      'rewards.total': '{{amount}} in {{period}}',
      'rewards.count_few': '{{count}} награды',
      'rewards.count_one': 'одна награда',
      'rewards.count_many': '{{count}} наград',
      'wallet.fee': '{{fee}} {{nett}} {{net}}',
    }
    const files = new Map([...goodFiles, ['i18n/ru.json', bytesOf(JSON.stringify(overrides))]])
    const { findings } = checkBrand({ source: { ...goodSource, files }, catalogue: brandableStrings })
    expect(findings.map(({ name, path, fix }) => [name, path, fix.slice(0, 12)])).toEqual([
      ['string-key-unknown', 'i18n/ru.json#mine.strat', 'Did you mean'],
      ['string-placeholder-missing', 'i18n/ru.json#rewards.total', 'Put the plac'],
      // This form is for 21 and 31 as well.
      ['string-placeholder-missing', 'i18n/ru.json#rewards.count_one', 'Put the plac'],
      ['string-placeholder-unknown', 'i18n/ru.json#wallet.fee', 'Remove the p'],
    ])
  })

  it('warns of overrides that will not fit and of languages that are not enabled', () => {
    const files = new Map([
      ...goodFiles,
      ['i18n/de.json', bytesOf(JSON.stringify({ 'tabs.mine': 'x'.repeat(41) }))],
    ])
    const config = brandWith('i18n', { default: 'en', enabled: ['en'] })
    const { findings } = checkBrand({ source: { ...goodSource, config, files } })
    expect(findings.map(({ name }) => name)).toEqual(['language-file-unused', 'string-too-long'])
  })

  it('checks against the texts of the app when they are given', () => {
    const files = filesWith('i18n/en.json', bytesOf('{"mine.start":"Go"}'))
    const { findings } = checkBrand({ source: { ...goodSource, files }, catalogue: { 'mine.go': 'Go' } })
    expect(findings.map(({ name }) => name)).toEqual(['string-key-unknown'])
  })

  it('takes a language that the app lacks with all its texts, and no other', () => {
    const config = brandWith('i18n', { default: 'pl', enabled: ['en', 'pl'] })
    const catalogue = {
      'mine.start': 'Start mining now',
      'rewards.count_one': '{{count}} reward',
      'rewards.count_other': '{{count}} rewards',
    }
    const check = (texts: object | null, whole = true) => {
      const files = texts === null ? goodFiles : filesWith('i18n/pl.json', bytesOf(JSON.stringify(texts)))
      const { findings } = checkBrand({
        source: { ...goodSource, config, files },
        ...(whole ? { catalogue } : {}),
      })
      return findings.map(({ name, path, found }) => `${name} ${path}: ${found}`)
    }
    expect(check(null)).toEqual(['language-unknown i18n.enabled[1]: "pl"'])
    const forms = { one: 'nagroda', few: 'nagrody', many: 'nagród', other: 'nagrody' }
    const texts = {
      'mine.start': 'Zacznij kopać teraz',
      ...Object.fromEntries(
        Object.entries(forms).map(([form, word]) => [`rewards.count_${form}`, `{{count}} ${word}`]),
      ),
    }
    expect(check(texts)).toEqual([])
    const { 'mine.start': _, 'rewards.count_few': __, ...rest } = texts as Record<string, string>
    expect(check(rest)).toEqual([
      'language-incomplete i18n/pl.json: 2 missing: mine.start, rewards.count_few',
    ])
    expect(check({ ...texts, 'mine.start': 'Start mining now' })).toEqual([
      'language-untranslated i18n/pl.json: 1 still in English: mine.start',
    ])
    expect(check({ ...texts, 'mine.strat': 'x' })).toEqual([
      'string-key-unknown i18n/pl.json#mine.strat: the key "mine.strat"',
    ])
    const written = { ...texts, 'rewards.count_one': 'jedna nagroda' }
    expect(check(written)).toEqual([])
    // Without the app its other keys are not known, but what they say is looked at.
    const hidden = 'Ukryte\u202E'
    expect(check({ 'mine.other': hidden, 'mine.key': `Mój klucz: ${'ab'.repeat(32)}` }, false)).toEqual([
      expect.stringContaining('text-has-control-characters i18n/pl.json#mine.other'),
      expect.stringMatching(/i18n\/pl.json#mine.key/),
    ])
    expect(check({ 'mine.strat': 'x', 'mine.start': 'Zacznij' }, false)).toEqual([])
  })

  it('takes the spelling of scripts that join letters or part lines without a blank, and refuses other tags', () => {
    const texts = {
      km: 'ចាប់​ផ្តើម',
      my: 'ကြွှေ့​စတင်',
      gu: 'ક્‍ષણ',
      uk: 'Кілька {{symbol}}ів',
    }
    for (const [tag, text] of Object.entries(texts)) {
      const files = filesWith(`i18n/${tag}.json`, bytesOf(JSON.stringify({ 'mine.go': text })))
      const config = brandWith('i18n', { default: 'en', enabled: ['en', tag] })
      const catalogue = { 'mine.go': tag === 'uk' ? 'Some {{symbol}}s' : 'Go' }
      const { findings } = checkBrand({ source: { ...goodSource, config, files }, catalogue })
      expect(findings, tag).toEqual([])
    }
    // Browsers know this one as he-IL, and would not find its texts.
    const files = filesWith('i18n/iw-IL.json', bytesOf('{"mine.go":"x"}'))
    const config = brandWith('i18n', { default: 'en', enabled: ['en', 'iw-IL'] })
    const { findings } = checkBrand({
      source: { ...goodSource, config, files },
      catalogue: { 'mine.go': 'Go' },
    })
    expect(findings.map(({ name, fix }) => `${name}: ${fix}`)).toEqual([
      'language-unknown: Did you mean "he-IL"?',
    ])
  })

  it('knows one-coloured categories, cards and duplicates it only warns of', () => {
    expect(names(brandWith('pwa.categories', ['finance', 'gambling']))).toEqual(['category-unknown'])
    for (const again of ['wss://g.acme.example', 'wss://g.acme.example/', 'wss://G.acme.example:443']) {
      expect(names(brandWith('network.poa', ['wss://g.acme.example', again])), again).toEqual([
        'duplicate-address',
      ])
    }
    expect(names(brandWith('network.poa', ['wss://g.acme.example', 'wss://g.acme.example/b']))).toEqual([])
    expect(names(brandWith('network.poa', ['no address', 'no address']))).toEqual([
      'url-malformed',
      'url-malformed',
      'duplicate-address',
    ])
    expect(names(brandWith('assets.socialCard', 'assets/icon.svg'))).toEqual(['social-card-size'])
    expect(names(brandWith('links.support', 'https://bücher.example'))).toEqual(['host-international'])
    expect(names(brandWith('app.homepage', undefined))).toEqual(['invite-link-missing'])
  })

  it.each([
    ['he', 'Choose a language of the app, or begin the file with `hailstone-brand language he`.'],
    ['xx', 'Choose a language of the app, or begin the file with `hailstone-brand language xx`.'],
    ['iw', 'Did you mean "he"?'],
    ['deutsch', 'Did you mean "de"?'],
    ['Germann', 'Did you mean "de"?'],
    ['EN', 'Did you mean "en"?'],
    ['pt_br', 'Did you mean "pt-BR"?'],
    ['Klingon', 'Choose a language of the app, or begin the file with `hailstone-brand language`.'],
  ])('says of the language %s: %s', (tag, fix) => {
    const config = brandWith('i18n', { default: 'en', enabled: ['en', tag] })
    const found = checkBrand({ source: { ...goodSource, config } }).findings
    expect(found.filter(({ name }) => name === 'language-unknown').map((one) => one.fix)).toEqual([fix])
  })

  it.each([
    ['links.community', 'telegram and more than twelve letters'],
    ['i18n.enabled', 'a text of more than forty letters, where a list of tags should be'],
    ['network.poa', ''],
  ])('says once that %s is a list', (path, value) => {
    const found = checkBrand({ source: { ...goodSource, config: brandWith(path, value) } }).findings
    expect(found.filter((one) => one.path === path)).toMatchObject([
      { name: 'wrong-type', expected: 'a list', found: JSON.stringify(value) },
    ])
  })

  it.each([
    ['legal.minimumAge', 150, 'out-of-range', 'a whole number from 1 to 99'],
    ['legal.minimumAge', 0, 'out-of-range', 'a whole number from 1 to 99'],
    ['security.autoLockMin', '5.5', 'wrong-type', 'a whole number from 1 to 120'],
    ['app.name', 'A'.repeat(31), 'text-too-long', 'at most 30 characters'],
  ])('says what %s may be instead of %s', (path, value, name, expected) => {
    const found = checkBrand({ source: { ...goodSource, config: brandWith(path, value) } }).findings
    expect(found.filter((one) => one.path === path)).toMatchObject([{ name, expected }])
  })

  it.each([
    ['svg', [0xff, 0xd8, 0xff, 0xe0], 'an SVG or a PNG', 'a JPEG'],
    ['png', [0xff, 0xd8, 0xff, 0xe0], 'an SVG or a PNG', 'a JPEG'],
    ['svg', [...bytesOf('GIF89a')], 'an SVG or a PNG', 'a GIF'],
    ['png', [0, 0, 0, 0], 'a PNG, as the ending says', 'no PNG'],
    ['png', [...bytesOf('<svg/>')], 'a PNG', 'an SVG'],
  ])('says which picture an .%s is: %s', (ending, bytes, expected, found) => {
    const config = brandWith('assets.logo', `assets/other.${ending}`)
    const files = filesWith(`assets/other.${ending}`, Uint8Array.from(bytes))
    const { findings } = checkBrand({ source: { ...goodSource, config, files } })
    expect(findings.filter(({ path }) => path === 'assets.logo')).toMatchObject([
      { name: 'asset-type-differs', expected, found },
    ])
  })
})
