import { shippedLanguages } from '../schema/shipped-languages.ts'
import type { PlainObject } from './plain-data.ts'

/** Lowest layer: defaults of the app. Derived defaults are in `resolve-brand.ts`. */
export const shellDefaults: PlainObject = {
  network: { preset: 'testnet' },
  referral: { enabled: true, defaultAgent: null, userCanChange: true },
  theme: {
    mode: 'system',
    radius: 'md',
    shape: 'soft',
    density: 'regular',
    hero: 'ring',
    ground: 'plain',
    font: 'system',
    contrast: 'error',
  },
  links: { community: [], buy: [] },
  legal: { translations: [] },
  features: {
    send: true,
    receive: true,
    roi: false,
    stats: true,
    buy: false,
    fiat: false,
    payout: true,
    multiAccount: false,
    diagnostics: true,
  },
  mining: {
    enabled: true,
    autoStart: false,
    wifiOnly: false,
    chargingOnly: false,
    minBattery: 20,
    thermalPause: false,
    keepAwake: true,
    screenOff: 'offer',
    quietHours: null,
  },
  security: { lock: 'onSend', autoLockMin: 10, requireBackup: true, passkey: true },
  i18n: { default: 'en', enabled: [...shippedLanguages] },
  pwa: { display: 'standalone', orientation: 'any', categories: ['finance'] },
  update: { source: 'none', mode: 'prompt' },
}
