import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brandSettings, checkBrand, textFiles } from '@hailstone/brand/check'
import { type RuntimeBrand, readRuntimeBrand } from '@hailstone/brand/runtime'
import { describe, expect, it } from 'vitest'
import { claimLink } from '../src/app/claim-link.ts'
import { isAgeDue, isVersionDue, legalTexts } from '../src/app/consent.ts'
import { signInFault } from '../src/engine/sign-in-request.ts'
import { appFolder } from './build-brand.ts'

/**
 * Proof that a setting works: a generated file that differs; a source of the app or of a package that reads it
 * (for the app the value must be in brand.json, too); what the app does with the made brand.json; or the finding that
 * says it changes nothing.
 */
type Proof =
  | { readonly to: unknown; readonly file: string }
  | { readonly to: unknown; readonly reads: readonly [source: string, text: string] }
  | { readonly to: unknown; readonly made: readonly [source: string, text: string] }
  | { readonly to: unknown; readonly does: (brand: RuntimeBrand) => unknown }
  | { readonly to: unknown; readonly idle: true }

const MANIFEST = 'manifest.webmanifest'
const LOOK = 'brand/theme.css'
const HEADERS = '_headers'
const ASSETS = '../../packages/brand/src/assets'
const agent = `02${'1'.repeat(64)}`
const request = { page: 'https://a.example/signed-in', nonce: 'nonce-123', expiresAtMs: 1 }
const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="20"/></svg>'

const proofs: Readonly<Record<string, Proof>> = {
  id: { to: 'other', file: MANIFEST },
  'app.name': { to: 'Other', file: MANIFEST },
  'app.shortName': { to: 'Othr', file: MANIFEST },
  'app.tagline': { to: 'Dig', file: MANIFEST },
  'app.publisher': { to: 'Other Ltd', reads: ['src/views/setup/words-step.tsx', 'brand.app.publisher'] },
  'app.homepage': { to: 'https://other.example', reads: ['src/host/app-place.ts', 'app.homepage'] },
  'app.supportEmail': { to: 'a@other.example', reads: ['src/views/more/help-views.tsx', 'supportEmail'] },
  'token.hash': { to: 'cd'.repeat(32), reads: ['src/brand/engine-config-of.ts', 'token.hash'] },
  'token.ticker': { to: 'OTHER', reads: ['src/app/use-money.ts', 'display, ticker }'] },
  'token.decimals': { to: 6, reads: ['src/app/use-money.ts', 'brand.token.decimals'] },
  'token.display.symbol': { to: 'pearls', reads: ['src/app/use-money.ts', 'display.symbol'] },
  'token.display.fractionMax': { to: 1, reads: ['src/app/use-money.ts', 'display.fractionMax'] },
  'network.preset': { to: 'devnet', reads: ['src/views/more/network-view.tsx', 'network.preset'] },
  'network.api': { to: 'https://api.other.example/api/v1', file: HEADERS },
  'network.poa': { to: ['wss://a.example/', 'wss://b.example/'], file: HEADERS },
  'network.explorer': {
    to: 'https://blocks.example/',
    reads: ['src/views/log-view.tsx', 'network.explorer'],
  },
  'network.faucet': { to: 'https://faucet.example/', file: HEADERS },
  'network.nativeToken': {
    to: '1'.repeat(64),
    made: ['../../packages/brand/src/online/check-brand-online.ts', 'network.nativeToken'],
  },
  'referral.enabled': { to: false, reads: ['src/app/opened.tsx', 'referral.enabled'] },
  'referral.defaultAgent': { to: agent, reads: ['src/brand/engine-config-of.ts', 'referral.defaultAgent'] },
  'referral.userCanChange': { to: false, reads: ['src/app/opened.tsx', 'referral.userCanChange'] },
  'referral.linkBase': {
    to: 'https://acme.example/i/',
    reads: ['src/views/invite-view.tsx', 'referral.linkBase'],
  },
  'theme.primary': { to: '#0e7c8c', file: LOOK },
  'theme.accent': { to: '#b8577e', file: LOOK },
  'theme.success': { to: '#23804a', file: LOOK },
  'theme.warning': { to: '#8f6a00', file: LOOK },
  'theme.danger': { to: '#a3224f', file: LOOK },
  'theme.dark.primary': { to: '#ff8a3d', file: LOOK },
  'theme.dark.accent': { to: '#ff8a3d', file: LOOK },
  'theme.mode': { to: 'dark', file: LOOK },
  'theme.radius': { to: 'full', file: LOOK },
  'theme.shape': { to: 'pill', file: LOOK },
  'theme.density': { to: 'roomy', file: LOOK },
  'theme.hero': { to: 'tide', reads: ['src/parts/status-ring.tsx', 'brand.theme'] },
  'theme.ground': { to: 'gradient', file: LOOK },
  'theme.headings': { to: 'mono', file: LOOK },
  'theme.font': { to: 'serif', file: LOOK },
  'theme.contrast': { to: 'fix', file: LOOK },
  'assets.logo': { to: 'assets/other.svg', file: 'brand/logo.svg' },
  'assets.logoDark': { to: 'assets/other.svg', file: 'brand/logo-dark.svg' },
  'assets.icon': { to: 'assets/other.svg', file: 'brand/icon.svg' },
  'assets.mark': { to: 'assets/other.svg', made: [`${ASSETS}/generate-assets.ts`, 'assets.mark'] },
  'assets.splashBackground': {
    to: '#123456',
    made: [`${ASSETS}/picture-plan.ts`, 'assets.splashBackground'],
  },
  'assets.socialCard': { to: 'assets/other.svg', made: [`${ASSETS}/generate-assets.ts`, 'socialCard'] },
  'assets.art.welcome': { to: 'assets/other.svg', file: 'brand/art-welcome.svg' },
  'assets.art.firstReward': { to: 'assets/other.svg', file: 'brand/art-firstReward.svg' },
  'assets.art.noRewards': { to: 'assets/other.svg', file: 'brand/art-noRewards.svg' },
  'assets.art.noActivity': { to: 'assets/other.svg', file: 'brand/art-noActivity.svg' },
  'links.terms': {
    to: 'https://a.example/',
    does: (brand) => legalTexts(brand, 'en').terms,
  },
  'links.privacy': {
    to: 'https://a.example/',
    does: (brand) => legalTexts(brand, 'en').privacy,
  },
  'links.support': {
    to: 'https://a.example/',
    reads: ['src/views/more/more-view.tsx', 'support, whitepaper, community } = brand.links'],
  },
  'links.whitepaper': {
    to: 'https://a.example/',
    reads: ['src/views/more/more-view.tsx', 'support, whitepaper, community } = brand.links'],
  },
  'links.statusFeed': { to: 'https://a.example/', file: HEADERS },
  'links.community': {
    to: [{ kind: 'forum', url: 'https://a.example/' }],
    reads: ['src/views/more/more-view.tsx', 'support, whitepaper, community } = brand.links'],
  },
  'links.buy': {
    to: [{ label: 'A', url: 'https://a.example/' }],
    reads: ['src/views/wallet-view.tsx', 'brand.links.buy'],
  },
  'links.claim': { to: 'https://a.example/', does: (brand) => claimLink(brand, 'a') },
  'links.signIn': {
    to: ['https://a.example/signed-in'],
    does: (brand) => signInFault(request, { pages: brand.links.signIn, nowMs: 0 }),
  },
  'legal.version': { to: '2', does: (brand) => isVersionDue(brand, undefined) },
  'legal.minimumAge': { to: 18, does: (brand) => isAgeDue(brand, undefined) },
  'legal.translations': {
    to: [{ language: 'de', terms: 'https://a.example/' }],
    does: (brand) => legalTexts(brand, 'de').terms,
  },
  'features.send': { to: false, reads: ['src/app/opened.tsx', 'features.send'] },
  'features.receive': { to: false, reads: ['src/app/opened.tsx', 'features.receive'] },
  'features.invite': { to: false, reads: ['src/app/opened.tsx', 'features.invite'] },
  'features.roi': { to: true, reads: ['src/app/opened.tsx', 'features.roi'] },
  'features.stats': { to: false, reads: ['src/views/more/more-view.tsx', 'features.stats'] },
  'features.buy': { to: false, reads: ['src/views/wallet-view.tsx', 'buy } = brand.features'] },
  'features.fiat': { to: true, reads: ['src/parts/worth.tsx', 'brand.features.fiat'] },
  'features.payout': { to: false, reads: ['src/app/opened.tsx', 'features.payout'] },
  'features.multiAccount': { to: true, reads: ['src/views/more/more-routes.tsx', 'features.multiAccount'] },
  'features.diagnostics': { to: false, reads: ['src/views/more/more-view.tsx', 'features.diagnostics'] },
  'mining.enabled': { to: false, made: ['tools/build-brand.ts', 'mining.enabled'] },
  'mining.autoStart': { to: true, reads: ['src/brand/engine-config-of.ts', 'mining.autoStart'] },
  'mining.wifiOnly': { to: true, reads: ['src/brand/engine-config-of.ts', 'wifiOnly'] },
  'mining.chargingOnly': { to: true, reads: ['src/brand/engine-config-of.ts', 'chargingOnly'] },
  'mining.minBattery': { to: 50, reads: ['src/brand/engine-config-of.ts', 'minBattery'] },
  'mining.thermalPause': { to: true, idle: true },
  'mining.keepAwake': { to: false, reads: ['src/views/mine-view.tsx', 'brand.mining.keepAwake'] },
  'mining.screenOff': { to: 'off', made: ['tools/mines-with-screen-off.ts', 'screenOff'] },
  'mining.quietHours': {
    to: [{ from: '22:00', to: '06:00' }],
    reads: ['src/brand/engine-config-of.ts', 'quietHours'],
  },
  'security.lock': { to: 'onSend', reads: ['src/app/opened.tsx', "security.lock === 'always'"] },
  'security.autoLockMin': { to: 3, reads: ['src/app/use-auto-lock.ts', 'autoLockMin'] },
  'security.passkey': {
    to: false,
    reads: ['src/views/more/security-view.tsx', 'brand.security.passkey'],
  },
  'security.requireBackup': { to: false, reads: ['src/app/backup-rule.ts', 'security.requireBackup'] },
  'i18n.default': { to: 'de', file: MANIFEST },
  'i18n.enabled': { to: ['en', 'de'], reads: ['src/views/more/settings-views.tsx', 'i18n.enabled'] },
  'pwa.display': { to: 'fullscreen', file: MANIFEST },
  'pwa.orientation': { to: 'portrait', file: MANIFEST },
  'pwa.categories': { to: ['business'], file: MANIFEST },
  'native.android.applicationId': { to: 'example.other', file: '.well-known/assetlinks.json' },
  'native.android.versionCode': { to: 7, made: ['tools/native-steps.ts', 'versionCode'] },
  'native.android.channel': {
    to: 'play',
    made: ['../../packages/brand/src/checks/delivery-rules.ts', 'channel'],
  },
  'native.android.signingFingerprints': {
    to: [Array.from({ length: 32 }, () => 'BB').join(':')],
    file: '.well-known/assetlinks.json',
  },
  'native.ios.bundleId': { to: 'example.other', file: '.well-known/apple-app-site-association' },
  'native.ios.teamId': { to: 'ABCDEFGHIJ', file: '.well-known/apple-app-site-association' },
  'deepLink.scheme': { to: 'other', made: ['tools/native-scripts.ts', 'scheme'] },
  'deepLink.hosts': { to: ['open.example'], made: ['tools/native-scripts.ts', 'hosts'] },
  'update.source': { to: 'url', idle: true },
  'update.url': { to: 'https://a.example/versions.json', idle: true },
  'update.mode': { to: 'quiet', idle: true },
}

/** Settings of earlier releases of the schema, which are no longer among its settings. */
const removed: Readonly<Record<string, unknown>> = {
  'network.userSelectable': true,
  'network.allowCustom': true,
  'telemetry.enabled': true,
  'telemetry.dsn': 'https://a.example/1',
}

const base = {
  schema: 1,
  id: 'acme',
  app: { name: 'Acme Mining', homepage: 'https://acme.example', supportEmail: 'help@acme.example' },
  token: { hash: 'ab'.repeat(32), ticker: 'ACME', decimals: 8 },
  network: { preset: 'custom', api: 'https://api.acme.example/api/v1', poa: ['wss://gate.acme.example/'] },
  // Needs `contrast: 'fix'`, so that the setting shows.
  theme: { primary: '#ffe600', contrast: 'warn' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
  // Beside these alone the idle time and the places to buy show.
  security: { lock: 'always' },
  features: { buy: true },
  links: { buy: [{ label: 'Shop', url: 'https://shop.example/' }] },
  native: {
    android: {
      applicationId: 'example.acme',
      signingFingerprints: [Array.from({ length: 32 }, () => 'AA').join(':')],
    },
    ios: { bundleId: 'example.acme', teamId: 'J4MRF0UND1' },
  },
}

const files = new Map(
  ['logo', 'icon', 'other'].map((name) => [
    `assets/${name}.svg`,
    new TextEncoder().encode(circle.replace('20', String(10 + name.length))),
  ]),
)

function brandWith(path: string, value: unknown): object {
  const copy = structuredClone(base) as Record<string, unknown>
  let place = copy
  const parts = path.split('.')
  for (const part of parts.slice(0, -1)) {
    place[part] ??= {}
    place = place[part] as Record<string, unknown>
  }
  place[parts.at(-1) ?? ''] = value
  return copy
}

function build(config: object) {
  const { brand, findings } = checkBrand({ source: { config, files } })
  if (brand === null) throw new Error(`This brand is not resolved: ${JSON.stringify(findings)}`)
  const made = new Map(
    [...textFiles(brand, files)].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  )
  const { configHash: _, ...runtime } = JSON.parse(made.get('brand/brand.json') ?? '{}') as Record<
    string,
    unknown
  >
  const read = readRuntimeBrand(made.get('brand/brand.json') ?? '')
  return { made, findings, read, runtime: JSON.stringify(runtime), brand: JSON.stringify(brand) }
}

const source = (path: string): string => readFileSync(join(appFolder(), path), 'utf8')

describe('every setting of a brand', () => {
  it('has a proof here, and every proof has a setting', () => {
    expect(Object.keys(proofs).toSorted()).toEqual(
      brandSettings()
        .map(({ path }) => path)
        .toSorted(),
    )
  })

  it.each(Object.entries(proofs))(
    'changes the app, or a finding says that it does not: %s',
    (path, proof) => {
      const before = build(base)
      const after = build(brandWith(path, proof.to))
      const named = after.findings
        .filter((one) => one.name === 'setting-without-effect')
        .map((one) => one.path)
      if ('idle' in proof) return expect(named).toContain(path)
      expect(named).not.toContain(path)
      if ('file' in proof) {
        expect(after.made.get(proof.file)).toBeDefined()
        return expect(after.made.get(proof.file)).not.toBe(before.made.get(proof.file))
      }
      if ('does' in proof) return expect(proof.does(after.read)).not.toEqual(proof.does(before.read))
      const [place, text] = 'reads' in proof ? proof.reads : proof.made
      expect(source(place)).toContain(text)
      const written = 'reads' in proof ? 'runtime' : 'brand'
      expect(after[written]).not.toBe(before[written])
    },
  )

  it('check 35: tells what to do instead of a setting that changes nothing, and opens the policy to no host for it', () => {
    const known = build(base).made.get(HEADERS)
    const idle = Object.entries(proofs).filter(([, proof]) => 'idle' in proof)
    expect(idle.length).toBeGreaterThan(3)
    for (const [path, { to }] of idle) {
      const { findings, made } = build(brandWith(path, to))
      const own = findings.filter((one) => one.name === 'setting-without-effect')
      expect(own.map((one) => [one.severity, one.path])).toEqual([['warning', path]])
      expect(own[0]?.fix).toMatch(/^Remove it: \S/)
      expect(made.get(HEADERS), path).toBe(known)
    }
  })

  it.each([
    ['security.autoLockMin', { security: { lock: 'onSend', autoLockMin: 3 } }],
    ['referral.defaultAgent', { referral: { enabled: false, defaultAgent: agent } }],
    ['links.buy', { features: { buy: false } }],
    [
      'mining.quietHours',
      {
        mining: {
          quietHours: [
            { from: '22:00', to: '10:00' },
            { from: '10:00', to: '22:00' },
          ],
        },
      },
    ],
  ])('is named where another setting takes it its effect: %s', (path, change) => {
    const named = build({ ...base, ...change }).findings.filter(
      (one) => one.name === 'setting-without-effect',
    )
    expect(named.map((one) => one.path)).toEqual([path])
  })

  it('check 35: tells what to do instead of a setting that is no longer there, and builds the same app', () => {
    const known = build(base)
    for (const [path, to] of Object.entries(removed)) {
      expect(Object.keys(proofs)).not.toContain(path)
      const { findings, made } = build(brandWith(path, to))
      const own = findings.filter((one) => path.startsWith(one.path))
      expect(own.map((one) => [one.severity, one.name])).toEqual([['warning', 'setting-removed']])
      expect(own[0]?.fix).toMatch(/^Remove it: \S/)
      expect([...made], path).toEqual([...known.made])
    }
  })
})
