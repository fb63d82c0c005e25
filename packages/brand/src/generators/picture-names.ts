import type { ArtSlot } from '../layers/resolved-brand.ts'

/** Pictures of the built app by served path. */
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

/** Returns the kind under which the drawing of a slot is served. */
export const artName = (slot: ArtSlot) => `art-${slot}` as const

/** Returns the file name under which a picture is served beside brand.json. */
export const servedName = (
  kind: 'logo' | 'logo-dark' | 'icon' | ReturnType<typeof artName>,
  source: string,
): string => `${kind}.${source.endsWith('.png') ? 'png' : 'svg'}`
