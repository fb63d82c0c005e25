import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { directionOf } from '../runtime/direction-of.ts'
import type { Theme } from '../theme/theme-tokens.ts'
import { pictureNames } from './picture-names.ts'

const png = (src: string, size: number, purpose: 'any' | 'maskable') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** Returns the web app manifest. Its id contains the brand's, so that two brands on one host stay two apps. */
export function webManifest(brand: ResolvedBrand, theme: Theme): Readonly<Record<string, unknown>> {
  const { app, pwa, i18n, id } = brand
  const ground = theme.mode === 'dark' ? theme.dark : theme.light
  return {
    id: `/?brand=${id}`,
    name: app.name,
    short_name: app.shortName,
    ...(app.tagline === null ? {} : { description: app.tagline }),
    lang: i18n.default,
    dir: directionOf(i18n.default),
    start_url: '/',
    scope: '/',
    display: pwa.display,
    orientation: pwa.orientation,
    categories: pwa.categories,
    theme_color: ground.background,
    background_color: ground.background,
    icons: [
      png(pictureNames.icon192, 192, 'any'),
      png(pictureNames.icon512, 512, 'any'),
      png(pictureNames.maskable192, 192, 'maskable'),
      png(pictureNames.maskable512, 512, 'maskable'),
    ],
    launch_handler: { client_mode: 'focus-existing' },
    prefer_related_applications: false,
  }
}
