/** Pictures of the built app, by the path they are served from. */
export const pictureNames = {
  favicon: 'favicon.svg',
  faviconIco: 'favicon.ico',
  appleTouch: 'icons/apple-touch-icon-180.png',
  icon192: 'icons/icon-192.png',
  icon512: 'icons/icon-512.png',
  maskable192: 'icons/maskable-192.png',
  maskable512: 'icons/maskable-512.png',
  badge: 'icons/badge-96.png',
  socialCard: 'social-card.png',
} as const

/** Where the shell finds a picture of the brand itself: its name beside brand.json. */
export const servedName = (kind: 'logo' | 'logo-dark' | 'icon', source: string): string =>
  `${kind}.${source.endsWith('.png') ? 'png' : 'svg'}`
