import { defineBrand } from '@hailstone/brand'

/** Example of a round, colourful brand, invitations foremost. */
export default defineBrand({
  schema: 1,
  id: 'tidewater',
  app: {
    name: 'Tidewater Pearls',
    shortName: 'Tidewater',
    tagline: 'Your phone keeps watch, the sea pays in pearls.',
    publisher: 'Tidewater Cooperative',
    homepage: 'https://tidewater.example',
    supportEmail: 'hello@tidewater.example',
  },
  // The mineable token of the local network that `npm start` runs. `prod` names the real one.
  token: {
    hash: '50d6c2306b75696a2edb55a85a6356bd3f43112f76b6fbc0d5c1cd476a2a4040',
    ticker: 'HAIL',
    decimals: 10,
    display: { symbol: 'pearls', fractionMax: 2 },
  },
  network: { preset: 'devnet' },
  referral: { enabled: true, userCanChange: true },
  theme: {
    primary: '#0e7c8c',
    accent: '#b8577e',
    success: '#23804a',
    mode: 'light',
    radius: 'full',
    shape: 'pill',
    density: 'roomy',
    hero: 'tide',
    font: 'rounded',
    contrast: 'error',
  },
  assets: {
    logo: 'assets/logo.svg',
    logoDark: 'assets/logo-dark.svg',
    icon: 'assets/icon.svg',
    splashBackground: '#0a3d4a',
  },
  links: {
    terms: 'https://tidewater.example/terms',
    privacy: 'https://tidewater.example/privacy',
    support: 'https://tidewater.example/harbour',
    whitepaper: 'https://tidewater.example/chart.pdf',
    community: [
      { kind: 'discord', url: 'https://discord.example/tidewater' },
      { kind: 'mastodon', url: 'https://social.example/@tidewater' },
    ],
  },
  features: { invite: true, stats: true, buy: false },
  mining: { autoStart: true, wifiOnly: true, minBattery: 30, quietHours: [{ from: '22:30', to: '06:30' }] },
  security: { lock: 'onSend', requireBackup: true },
  i18n: { default: 'en', enabled: ['en', 'de', 'fr'] },
  pwa: { display: 'standalone', orientation: 'portrait', categories: ['finance', 'lifestyle'] },
  native: {
    android: {
      applicationId: 'example.tidewater.pearls',
      versionCode: 7,
      channel: 'fdroid',
      signingFingerprints: [
        '1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09',
      ],
    },
  },
  environments: {
    prod: {
      token: {
        hash: '7c1f0a94d2be5583e6a0417fb9c23d68510e94a7f3d8b26c05e1974ab8f36d20',
        ticker: 'PEARL',
        decimals: 6,
      },
      network: {
        preset: 'custom',
        api: 'https://api.tidewater.example/api/v1',
        poa: ['wss://east.tidewater.example/', 'wss://west.tidewater.example/'],
        explorer: 'https://blocks.tidewater.example/',
      },
    },
  },
})
