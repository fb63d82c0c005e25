import { defineBrand } from '@hailstone/brand'

/** Example of a brand with a ground of two colours, a second font, drawings of its own and most services on. */
export default defineBrand({
  schema: 1,
  id: 'verbena',
  app: {
    name: 'Verbena FM',
    shortName: 'Verbena',
    tagline: 'La radio de tu calle, encendida entre todos.',
    publisher: 'Asociación Radio Verbena',
    homepage: 'https://verbena.example',
    supportEmail: 'hola@verbena.example',
  },
  // The mineable token of the local network that `npm start` runs. `prod` names the real one.
  token: {
    hash: '50d6c2306b75696a2edb55a85a6356bd3f43112f76b6fbc0d5c1cd476a2a4040',
    ticker: 'HAIL',
    decimals: 10,
    display: { symbol: 'chispas', fractionMax: 1 },
  },
  network: { preset: 'devnet' },
  referral: { enabled: true, userCanChange: true, linkBase: 'https://verbena.example/i/' },
  theme: {
    primary: '#5b2bb5',
    accent: '#c01e72',
    success: '#12857c',
    dark: { primary: '#b692ff', accent: '#ff7eb6' },
    mode: 'system',
    radius: 'lg',
    shape: 'soft',
    density: 'regular',
    hero: 'orb',
    ground: 'gradient',
    font: 'system',
    headings: 'mono',
    contrast: 'warn',
  },
  assets: {
    logo: 'assets/logo.svg',
    logoDark: 'assets/logo-dark.svg',
    icon: 'assets/icon.svg',
    mark: 'assets/mark.svg',
    splashBackground: '#2a1257',
    art: {
      welcome: 'assets/welcome.svg',
      firstReward: 'assets/first-reward.svg',
      noRewards: 'assets/no-rewards.svg',
      noActivity: 'assets/no-activity.svg',
    },
  },
  links: {
    terms: 'https://verbena.example/condiciones',
    privacy: 'https://verbena.example/privacidad',
    claim: 'https://verbena.example/primera-chispa',
    community: [
      { kind: 'matrix', url: 'https://matrix.example/verbena' },
      { kind: 'youtube', url: 'https://videos.example/verbena' },
      { kind: 'blog', url: 'https://verbena.example/diario' },
    ],
  },
  legal: {
    version: '2026-06',
    minimumAge: 16,
    translations: [
      {
        language: 'pt',
        terms: 'https://verbena.example/pt/condicoes',
        privacy: 'https://verbena.example/pt/privacidade',
      },
      {
        language: 'it',
        terms: 'https://verbena.example/it/condizioni',
        privacy: 'https://verbena.example/it/privacy',
      },
    ],
  },
  features: { invite: true, roi: true, fiat: true, stats: true },
  mining: { minBattery: 15, quietHours: [{ from: '01:00', to: '08:00' }] },
  security: { lock: 'optional', requireBackup: false },
  i18n: { default: 'es', enabled: ['es', 'pt', 'it'] },
  pwa: { display: 'minimal-ui', orientation: 'natural', categories: ['music', 'entertainment'] },
  environments: {
    prod: {
      token: {
        hash: '1f6e90c7ab34d285f0197be6cd5283a04476e1b9d80f352ac9e7461db05f8c93',
        ticker: 'CHISPA',
        decimals: 8,
      },
      network: { preset: 'mainnet', poa: ['wss://antena.verbena.example/'] },
      links: { statusFeed: 'https://estado.verbena.example/summary.json' },
      security: { lock: 'onSend', requireBackup: true },
    },
  },
})
