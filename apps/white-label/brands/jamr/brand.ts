import { defineBrand } from '@hailstone/brand'

/** Example of a sharp-edged right-to-left brand: a wallet that mines, without invitations. */
export default defineBrand({
  schema: 1,
  id: 'jamr',
  app: {
    name: 'Jamr',
    tagline: 'جمرة صغيرة تكفي',
    publisher: 'Jamr Foundry Ltd',
    homepage: 'https://jamr-foundry.example',
    supportEmail: 'hello@jamr-foundry.example',
  },
  // The native coin of the local network. `prod` names a token of its own.
  token: {
    hash: '0000000000000000000000000000000000000000000000000000000000000000',
    ticker: 'DEV',
    decimals: 10,
    display: { fractionMax: 8 },
  },
  network: { preset: 'devnet' },
  referral: { enabled: false },
  theme: {
    primary: '#b3400e',
    warning: '#8f6a00',
    danger: '#a3224f',
    dark: { primary: '#ff8a3d' },
    mode: 'dark',
    radius: 'none',
    shape: 'square',
    density: 'compact',
    hero: 'bars',
    font: 'serif',
    contrast: 'fix',
  },
  assets: {
    logo: 'assets/wordmark.svg',
    logoDark: 'assets/wordmark-dark.svg',
    icon: 'assets/app-icon.svg',
    mark: 'assets/mark.svg',
    splashBackground: '#1c0d06',
  },
  links: {
    terms: 'https://jamr-foundry.example/legal/terms',
    privacy: 'https://jamr-foundry.example/legal/privacy',
    community: [{ kind: 'telegram', url: 'https://t.example/jamr' }],
    buy: [{ label: 'Souk Exchange', url: 'https://souk.example/jamr' }],
  },
  features: {
    send: true,
    receive: true,
    stats: false,
    buy: true,
    diagnostics: false,
  },
  mining: { chargingOnly: true, minBattery: 50, keepAwake: false },
  security: { lock: 'always', autoLockMin: 2 },
  i18n: { default: 'ar', enabled: ['ar', 'tr', 'id'] },
  pwa: { display: 'fullscreen', orientation: 'any', categories: ['business'] },
  native: { ios: { bundleId: 'example.jamrfoundry.app', teamId: 'J4MRF0UND1' } },
  deepLink: { scheme: 'jamr-wallet', hosts: ['open.jamr-foundry.example'] },
  environments: {
    prod: {
      token: {
        hash: 'e3b84d17f06a92c5418d7e20c96fb3a1750f48de92b613ca87e5d0419f2ab6c8',
        ticker: 'JAMR',
        decimals: 8,
      },
      network: { preset: 'mainnet', poa: ['wss://gateway.jamr-foundry.example/'] },
    },
  },
})
