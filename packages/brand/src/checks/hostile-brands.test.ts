import { expect, it } from 'vitest'
import { brandWith, bytesOf, filesWith, goodBrand, goodSource, svg } from '../../test/good-brand.ts'
import type { FindingName } from '../findings/codes.ts'
import type { CheckBrandParameters } from './check-brand.ts'
import { checkBrand, isBuildable } from './check-brand.ts'

type Hostile = {
  readonly what: string
  readonly finding: FindingName
  readonly config?: unknown
  readonly files?: ReadonlyMap<string, Uint8Array>
  readonly options?: Omit<CheckBrandParameters, 'source'>
}

const set = (what: string, path: string, value: unknown, finding: FindingName): Hostile => ({
  what: `${what} in ${path}`,
  finding,
  config: brandWith(path, value),
})

const drawing = (what: string, inside: string, finding: FindingName, attributes?: string): Hostile => ({
  what: `a drawing with ${what}`,
  finding,
  files: filesWith('assets/logo.svg', svg(inside, attributes)),
})

/** Escapes a text for an XML attribute in double quotes. */
const entities = (text: string): string =>
  text
    .replaceAll('&', () => '&amp;')
    .replaceAll('"', () => '&quot;')
    .replaceAll('<', () => '&lt;')

const rawDrawing = (what: string, text: string, finding: FindingName): Hostile => ({
  what: `a drawing that ${what}`,
  finding,
  files: filesWith('assets/logo.svg', bytesOf(text)),
})

const words = (what: string, json: string, finding: FindingName): Hostile => ({
  what: `a language file with ${what}`,
  finding,
  files: filesWith('i18n/de.json', bytesOf(json)),
})

const prod = { environment: 'prod' } as const
const key = '1f'.repeat(32)
const phrase = 'abandon ability able about above absent absorb abstract absurd abuse access accident'
const api = 'network.api'
const poa = (url: string) => [url]

const png = (width: number, height: number): Uint8Array => {
  const bytes = new Uint8Array(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

const picture = (what: string, bytes: Uint8Array, finding: FindingName): Hostile => ({
  what,
  finding,
  config: brandWith('assets.icon', 'assets/icon.png'),
  files: filesWith('assets/icon.png', bytes),
})

class Surprise {
  readonly schema = 1
}

const withAccessor = (): unknown => {
  const config = brandWith('app.name', 'x') as { app: object }
  Object.defineProperty(config.app, 'name', { get: () => 'Acme', enumerable: true })
  return config
}

const hostile: readonly Hostile[] = [
  // the file
  { what: 'a list', config: [], finding: 'wrong-type' },
  { what: 'nothing at all', config: null, finding: 'wrong-type' },
  { what: 'an instance of a class', config: new Surprise(), finding: 'not-plain-data' },
  { what: 'an accessor', config: withAccessor(), finding: 'not-plain-data' },
  set('a function', 'app.name', () => 'Acme', 'not-plain-data'),
  set('a symbol', 'app.name', Symbol('Acme'), 'not-plain-data'),
  set('a big integer', 'token.decimals', 8n, 'not-plain-data'),
  set('not a number', 'mining.minBattery', Number.NaN, 'not-plain-data'),
  set('a list with a hole', 'network.poa', new Array(2), 'not-plain-data'),
  {
    what: 'a prototype in JSON',
    config: JSON.parse(`{"schema":1,"__proto__":{"polluted":true}}`),
    finding: 'dangerous-key',
  },
  {
    what: 'a constructor in app',
    config: brandWith('app.constructor', { prototype: {} }),
    finding: 'dangerous-key',
  },
  { what: 'no schema version', config: brandWith('schema', undefined), finding: 'schema-missing' },
  set('a version from the future', 'schema', 2, 'schema-newer'),
  set('a version in words', 'schema', 'latest', 'schema-malformed'),
  set('a version of nought', 'schema', 0, 'schema-malformed'),
  set('an unknown key', 'mining.pool', 'evil', 'unknown-key'),
  set('an unknown environment', 'environments.production', {}, 'environment-unknown'),
  set('an unknown key', 'environments.prod', { tokens: {} }, 'unknown-key'),
  set('a path', 'id', '../../etc', 'id-malformed'),
  set('another folder', 'id', 'other', 'id-differs-from-folder'),
  set('a number', 'app.name', 7, 'wrong-type'),
  set('half a per cent', 'mining.minBattery', 0.5, 'wrong-type'),
  set('more than full', 'mining.minBattery', 101, 'out-of-range'),
  set('no choice', 'theme.mode', 'neon', 'value-not-allowed'),
  set('no radius', 'theme.radius', '4px;background:url(//evil.example)', 'value-not-allowed'),
  // secrets
  set('a private key', 'referral.defaultAgent', key, 'secret-in-file'),
  set('a private key with zeros', 'app.tagline', `00${key}`, 'secret-in-file'),
  { what: 'a private key as a key', config: brandWith(`app.${key}`, true), finding: 'secret-in-file' },
  set(
    'a private key among words',
    'links.buy',
    [{ label: `key ${key}`, url: 'https://acme.example' }],
    'secret-in-file',
  ),
  set('a recovery phrase', 'app.tagline', phrase.slice(0, 200), 'secret-in-file'),
  set('a private key in an address', 'links.support', `https://acme.example/${key}`, 'secret-in-file'),
  {
    what: 'a private key as a flag',
    options: { flags: { app: { tagline: key } } },
    finding: 'secret-in-file',
  },
  words('a private key', JSON.stringify({ 'tabs.mine': key }), 'secret-in-file'),
  drawing('a private key', `<desc>${key}</desc>`, 'secret-in-file'),
  // texts
  set('a script element', 'app.name', '<script>alert(1)</script>', 'text-has-markup'),
  set('a picture with a handler', 'app.tagline', '<img src=x onerror=alert(1)>', 'text-has-markup'),
  set('an entity', 'app.tagline', '&lt;b&gt; Acme', 'text-has-markup'),
  set('a script address', 'app.tagline', 'javascript:alert(1)', 'text-has-script-url'),
  set('a data address', 'app.tagline', 'data:text/html,hi', 'text-has-script-url'),
  set('a style', 'app.name', 'A} body{display:none', 'text-has-css'),
  set('an imported style', 'token.display.symbol', '@import x', 'text-has-css'),
  set('a turned direction', 'app.name', 'Acme \u202Egnp.exe', 'text-has-control-characters'),
  set('an invisible blank', 'app.name', 'Ac\u200Bme', 'text-has-control-characters'),
  set('a terminal escape', 'app.tagline', '\u001B[2J gone', 'text-has-control-characters'),
  set('hidden tags', 'app.name', 'Acme\u{E0041}', 'text-has-control-characters'),
  set('a Cyrillic letter among Latin ones', 'app.name', 'Аcme Mining', 'text-look-alike'),
  set('mathematical letters', 'app.name', '𝐀cme', 'text-look-alike'),
  set('leading blanks', 'app.name', '  Acme', 'text-untrimmed'),
  set('an endless name', 'app.name', 'A'.repeat(31), 'text-too-long'),
  set('an empty name', 'app.name', '', 'text-empty'),
  set('an emoji', 'app.shortName', 'Acme 🚀', 'emoji-refused'),
  set('a mail header', 'app.supportEmail', 'a@acme.example?bcc=x', 'email-malformed'),
  set('a mail header before the @', 'app.supportEmail', 'a?bcc=x@acme.example', 'email-malformed'),
  // the token
  set('a short hash', 'token.hash', 'ab'.repeat(31), 'token-hash-malformed'),
  set('capital digits', 'token.hash', 'AB'.repeat(32), 'token-hash-malformed'),
  set('a low ticker', 'token.ticker', 'acme', 'ticker-malformed'),
  set('a markup ticker', 'token.ticker', '<B>', 'ticker-malformed'),
  set('too many decimals', 'token.decimals', 11, 'out-of-range'),
  set('more digits than decimals', 'token.display', { fractionMax: 9 }, 'fraction-digits-exceed-decimals'),
  // addresses
  set('a plain address', api, 'http://api.acme.example/api/v1', 'scheme-insecure'),
  set('a plain socket', 'network.poa', poa('ws://gate.acme.example'), 'scheme-insecure'),
  set('a socket of another kind', 'network.poa', poa('https://gate.acme.example'), 'scheme-refused'),
  set('credentials', api, 'https://user:pass@api.acme.example/api/v1', 'url-has-credentials'),
  set('a policy of its own', api, 'https://acme.example;script-src/api/v1', 'host-malformed'),
  set('a wildcard', 'network.poa', poa('wss://*.acme.example'), 'host-malformed'),
  set('a line end', api, 'https://api.acme.example\n/api/v1', 'url-malformed'),
  set('a quote', 'links.support', 'https://acme.example/"onclick="x', 'url-malformed'),
  set('no scheme', api, 'api.acme.example/api/v1', 'url-malformed'),
  set('a query', api, 'https://api.acme.example/api/v1?x=1', 'url-part-refused'),
  set('a script', 'links.support', 'javascript:alert(1)', 'scheme-refused'),
  set('a data page', 'links.terms', 'data:text/html,<h1>hi', 'scheme-refused'),
  set('a local file', 'links.privacy', 'file:///etc/passwd', 'scheme-refused'),
  set('a plain link', 'links.support', 'http://acme.example', 'scheme-insecure'),
  set('Cyrillic letters in the host', 'links.support', 'https://аррӏе.com', 'host-look-alike'),
  set('a mixed host', 'links.support', 'https://gооgle.example', 'host-look-alike'),
  set('a coded look-alike', 'links.support', 'https://xn--80ak6aa92e.com', 'host-look-alike'),
  { ...set('a loopback', api, 'https://127.0.0.1/api/v1', 'host-private'), options: prod },
  { ...set('a loopback in one number', api, 'https://2130706433/api/v1', 'host-private'), options: prod },
  { ...set('a mapped loopback', api, 'https://[::ffff:127.0.0.1]/api/v1', 'host-private'), options: prod },
  { ...set('a private address', api, 'https://192.168.1.4/api/v1', 'host-private'), options: prod },
  set('a query', 'links.signIn', ['https://acme.example/in?to=x'], 'url-part-refused'),
  set('a plain page', 'links.signIn', ['http://acme.example/in'], 'scheme-insecure'),
  { ...set('a loopback', 'links.signIn', ['http://127.0.0.1/in'], 'host-private'), options: prod },
  {
    ...set('a metadata service', 'links.statusFeed', 'https://169.254.169.254/latest', 'host-private'),
    options: prod,
  },
  { ...set('a name of the local network', api, 'https://printer/api/v1', 'host-private'), options: prod },
  set('no gateway', 'network.poa', [], 'gateway-missing'),
  {
    what: 'a custom network without address',
    config: brandWith('network', { preset: 'custom' }),
    finding: 'api-missing',
  },
  {
    what: 'the test network in prod',
    config: brandWith('network.preset', 'testnet'),
    options: prod,
    finding: 'test-network-in-production',
  },
  // agents
  set('a cut code', 'referral.defaultAgent', `ref_77${'0'.repeat(60)}`, 'agent-malformed'),
  set('an address behind ref_', 'referral.defaultAgent', `ref_02${'1'.repeat(64)}`, 'agent-malformed'),
  set('a name', 'referral.defaultAgent', 'alice', 'agent-malformed'),
  {
    what: 'invites without referral',
    config: { ...goodBrand, referral: { enabled: false }, features: { invite: true } },
    finding: 'invite-without-referral',
  },
  set('an invite link without slash', 'referral.linkBase', 'https://acme.example/i', 'url-part-refused'),
  // colours and fonts
  set('a style', 'theme.primary', 'red;background:url(//evil.example)', 'colour-malformed'),
  set('an expression', 'theme.accent', 'expression(alert(1))', 'colour-malformed'),
  set('a variable', 'assets.splashBackground', 'var(--x)', 'colour-malformed'),
  set('a colour nobody can see', 'theme.primary', '#ffe600', 'contrast-too-low'),
  set(
    'a style',
    'theme.font',
    { family: 'A";}', files: ['fonts/a.woff2'], licence: 'MIT' },
    'font-malformed',
  ),
  set(
    'a font from another host',
    'theme.font',
    { family: 'A', files: ['https://evil.example/a.woff2'], licence: 'MIT' },
    'font-not-woff2',
  ),
  set(
    'a font that is not there',
    'theme.font',
    { family: 'A', files: ['fonts/a.woff2'], licence: 'MIT' },
    'font-missing',
  ),
  set('a font without licence', 'theme.font', { family: 'A', files: ['fonts/a.woff2'] }, 'required-missing'),
  {
    what: 'a font that is something else',
    config: brandWith('theme.font', { family: 'A', files: ['fonts/a.woff2'], licence: 'MIT' }),
    files: filesWith('fonts/a.woff2', bytesOf('<html>')),
    finding: 'font-not-woff2',
  },
  {
    what: 'a font as large as the app',
    config: brandWith('theme.font', { family: 'A', files: ['fonts/a.woff2'], licence: 'MIT' }),
    files: filesWith(
      'fonts/a.woff2',
      Uint8Array.from({ length: 150_001 }, (_, at) => [0x77, 0x4f, 0x46, 0x32][at] ?? 0),
    ),
    finding: 'font-too-large',
  },
  set(
    'a font of headings that is not there',
    'theme.headings',
    { family: 'A', files: ['fonts/a.woff2'], licence: 'MIT' },
    'font-missing',
  ),
  // pictures
  set('a drawing that is not there', 'assets.art.welcome', 'assets/other.svg', 'asset-missing'),
  {
    what: 'a drawing that takes long to load',
    config: brandWith('assets.art.noRewards', 'assets/a.svg'),
    files: filesWith('assets/a.svg', bytesOf(`<svg>${' '.repeat(30_000)}</svg>`)),
    finding: 'asset-too-large',
  },
  set('a path out of the folder', 'assets.logo', '../../secret.svg', 'asset-path-malformed'),
  set('a hidden path out of the folder', 'assets.logo', 'assets/../../x.svg', 'asset-path-malformed'),
  set('another host', 'assets.logo', 'https://evil.example/a.svg', 'asset-path-malformed'),
  set('a page', 'assets.logo', 'assets/logo.html', 'asset-path-malformed'),
  set('a missing picture', 'assets.logo', 'assets/other.svg', 'asset-missing'),
  drawing('a script', '<script>alert(1)</script>', 'svg-element-refused'),
  drawing(
    'a page inside',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    'svg-element-refused',
  ),
  drawing('a picture from elsewhere', '<image href="https://evil.example/a.png"/>', 'svg-element-refused'),
  drawing('a link', '<a href="https://evil.example"><path d="M0 0"/></a>', 'svg-element-refused'),
  drawing('an animation', '<animate attributeName="href" to="x"/>', 'svg-element-refused'),
  drawing('a changed attribute', '<set attributeName="onload" to="x"/>', 'svg-element-refused'),
  drawing(
    'an element in other clothes',
    '<x:script xmlns:x="http://www.w3.org/2000/svg"/>',
    'svg-element-refused',
  ),
  drawing('a handler', '<path onload="alert(1)" d="M0 0"/>', 'svg-attribute-refused'),
  drawing('a handler in capitals', '<path ONCLICK="alert(1)" d="M0 0"/>', 'svg-attribute-refused'),
  drawing(
    'an event of a namespace',
    '<path xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>',
    'svg-attribute-refused',
  ),
  drawing('a reference outside', '<use href="https://evil.example/a.svg#x"/>', 'svg-reference-refused'),
  drawing(
    'a script reference',
    '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="javascript:alert(1)"/>',
    'svg-reference-refused',
  ),
  drawing(
    'a paint from elsewhere',
    '<path fill="url(https://evil.example/a.svg#x)"/>',
    'svg-reference-refused',
  ),
  drawing('an imported style', '<style>@import "https://evil.example/a.css";</style>', 'svg-style-refused'),
  drawing('a style that loads', '<path style="fill:url(//evil.example/x)"/>', 'svg-style-refused'),
  ...[
    'url(//evil.example/x)',
    '\\75rl(//evil.example/x)',
    'u\\72 l(//evil.example/x)',
    '\\000075rl(//evil.example/x)',
    'url(/**/#a)',
    'url(#a) url(//evil.example/x)',
    'image-set("//evil.example/x" 1x)',
    '-webkit-image-set(url(#a) 1x)',
    'src("//evil.example/x")',
    'image(//evil.example/x)',
    'cross-fade(url(#a), url(//evil.example/x))',
    'paint(evil)',
    'var(--x)',
    'attr(href)',
    'env(x)',
    'url(#a',
    "url('#a\\'//evil.example/x')",
    'expression(alert(1))',
    'javascript:alert(1)',
    'url(data:image/svg+xml,x)',
    'url(//evil.example/x#a)',
  ].flatMap((value) => [
    drawing(`a fill of ${value}`, `<path fill="${entities(value)}"/>`, 'svg-reference-refused'),
    drawing(`a mask of ${value}`, `<path mask="${entities(value)}"/>`, 'svg-reference-refused'),
    drawing(`fill:${value} as style`, `<path style="fill:${entities(value)}"/>`, 'svg-style-refused'),
    drawing(`fill:${value} in a sheet`, `<style>.a{fill:${entities(value)}}</style>`, 'svg-style-refused'),
  ]),
  ...[
    '@\\69mport "//evil.example/a.css";',
    '@font-face{font-family:a;src:url(//evil.example/a)}',
    '@namespace "http://www.w3.org/1999/xhtml";',
    '@media print{.a{fill:red}}',
    '.a{.b{fill:red}}',
    '.a{"/*";fill:url(//evil.example/x);"*/"}',
    '.a{fill:red}"/*"b{fill:url(//evil.example/x)}"*/"{}',
    '.a{behavior:url(#x)}',
    '.a{-moz-binding:url(#x)}',
    '.a{--x:red}',
    '.a{background-image:url(#a)}',
    '.a{content:"x"}',
    '.a[href]{fill:red}',
    '.a{fill:red',
    'fill:red',
    '<desc>.a{}</desc>',
  ].map((sheet) =>
    drawing(
      `the sheet ${sheet}`,
      `<style>${sheet.startsWith('<') ? sheet : entities(sheet)}</style>`,
      'svg-style-refused',
    ),
  ),
  drawing('a base', '<g xml:base="https://evil.example/"/>', 'svg-attribute-refused'),
  drawing('an attribute nobody knows', '<path formaction="x"/>', 'svg-attribute-refused'),
  drawing('another namespace', '<g xmlns="http://www.w3.org/1999/xhtml"/>', 'svg-attribute-refused'),
  drawing('a source', '<path src="#a"/>', 'svg-reference-refused'),
  drawing(
    'a reference under another prefix',
    '<use xmlns:a="http://www.w3.org/1999/xlink" a:href="https://evil.example/#x"/>',
    'svg-attribute-refused',
  ),
  drawing('a picture as a filter', '<filter><feImage href="#a"/></filter>', 'svg-element-refused'),
  drawing('letters', '<text>Acme</text>', 'svg-text-refused'),
  drawing(
    'copies of copies',
    '<g id="a"><path/></g><g id="b"><use href="#a"/></g><use href="#b"/>',
    'svg-too-complex',
  ),
  drawing('too many parts', '<path/>'.repeat(2001), 'svg-too-complex'),
  drawing('a thousand levels', `${'<g>'.repeat(1000)}${'</g>'.repeat(1000)}`, 'svg-too-complex'),
  drawing('no viewBox', '<path/>', 'svg-view-box-missing', 'width="64"'),
  drawing('an endless viewBox', '<path/>', 'svg-view-box-missing', 'viewBox="0 0 1e9 1e9"'),
  rawDrawing(
    'defines entities',
    '<!DOCTYPE svg [<!ENTITY a "aaa">]><svg xmlns="http://www.w3.org/2000/svg"/>',
    'svg-doctype-refused',
  ),
  rawDrawing(
    'brings a style sheet',
    '<?xml-stylesheet href="x.css"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'svg-doctype-refused',
  ),
  rawDrawing('is a page', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', 'svg-malformed'),
  rawDrawing('is cut', '<svg xmlns="http://www.w3.org/2000/svg"><path', 'svg-malformed'),
  rawDrawing(
    'is huge',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><desc>${'x'.repeat(200_001)}</desc></svg>`,
    'asset-too-large',
  ),
  {
    what: 'an icon that is not square',
    files: filesWith('assets/icon.svg', svg('<path/>', 'viewBox="0 0 64 32"')),
    finding: 'icon-not-square',
  },
  picture('a small PNG', png(512, 512), 'png-too-small'),
  picture('a PNG that unpacks into a gigabyte', png(16_384, 16_384), 'png-malformed'),
  picture('a PNG that is a page', bytesOf('<html>'), 'asset-type-differs'),
  {
    what: 'a PNG named as a drawing',
    files: filesWith('assets/logo.svg', png(1024, 1024)),
    finding: 'asset-type-differs',
  },
  // words
  words('no JSON', '{"a":', 'strings-malformed'),
  words('a list', '[]', 'strings-malformed'),
  words('a number', '{"tabs.mine":1}', 'strings-malformed'),
  words('an unknown key', '{"tabs.mime":"x"}', 'string-key-unknown'),
  words('a prototype', '{"__proto__":{"x":"y"}}', 'dangerous-key'),
  words('a lost placeholder', '{"welcome.title":"Hallo"}', 'string-placeholder-missing'),
  words('a strange placeholder', '{"tabs.mine":"{{key}}"}', 'string-placeholder-unknown'),
  words('a script', '{"tabs.mine":"<script>x</script>"}', 'text-has-markup'),
  words('nothing', '{"tabs.mine":""}', 'text-empty'),
  words('a turned direction', '{"tabs.mine":"Mine\\u202E"}', 'text-has-control-characters'),
  set('a language nobody speaks', 'i18n', { default: 'en', enabled: ['en', 'xx'] }, 'language-unknown'),
  set('a default that is off', 'i18n', { default: 'de', enabled: ['en'] }, 'default-language-disabled'),
  // links, behaviour, stores
  {
    what: 'no terms in prod',
    config: brandWith('links', undefined),
    options: prod,
    finding: 'legal-link-missing',
  },
  set(
    'an unknown community',
    'links.community',
    [{ kind: 'myspace', url: 'https://x.example' }],
    'community-kind-unknown',
  ),
  set('buying without a place', 'features.buy', true, 'buy-link-missing'),
  set(
    'a time of day that does not exist',
    'mining.quietHours',
    [{ from: '24:00', to: '07:00' }],
    'time-malformed',
  ),
  set('no time at all', 'mining.quietHours', [{ from: '07:00', to: '07:00' }], 'quiet-hours-empty'),
  set('a source without address', 'update.source', 'url', 'update-url-missing'),
  set('a scheme of the system', 'deepLink.scheme', 'javascript', 'deep-link-scheme-reserved'),
  set('a malformed scheme', 'deepLink.scheme', '1x', 'deep-link-scheme-malformed'),
  set('a host with a path', 'deepLink.hosts', ['acme.example/x'], 'deep-link-host-malformed'),
  set('a package of one part', 'native.android', { applicationId: 'acme' }, 'application-id-malformed'),
  set(
    'a short fingerprint',
    'native.android',
    { applicationId: 'a.b', signingFingerprints: ['AA:BB'] },
    'fingerprint-malformed',
  ),
  set('a team of nobody', 'native.ios', { bundleId: 'a.b', teamId: 'x' }, 'team-id-malformed'),
  set(
    'mining in a store that forbids it',
    'native.android',
    { applicationId: 'a.b', channel: 'play' },
    'play-forbids-mining',
  ),
  { what: 'referral rewards on iOS', options: { target: 'ios' }, finding: 'referral-on-ios' },
  { what: 'an Android build without its part', options: { target: 'android' }, finding: 'android-missing' },
  { what: 'an iOS build without its part', options: { target: 'ios' }, finding: 'ios-missing' },
]

it('S-12, A-16: has at least sixty hostile brands, each once', () => {
  const names = hostile.map(({ what }) => what)
  expect(names.length).toBeGreaterThanOrEqual(60)
  expect(new Set(names.map((name, index) => `${name} ${hostile[index]?.finding}`)).size).toBe(names.length)
})

it.each(hostile)(
  'S-12: refuses $what: $finding',
  ({ config = goodBrand, files = goodSource.files, options, finding }) => {
    const report = checkBrand({ ...options, source: { ...goodSource, config, files } })
    expect(report.findings.map(({ name }) => name)).toContain(finding)
    expect(isBuildable(report)).toBe(false)
    expect(JSON.stringify(report.findings)).not.toMatch(new RegExp(`${key}|${phrase}`))
  },
)

it('S-12: did not change what every object inherits', () => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
