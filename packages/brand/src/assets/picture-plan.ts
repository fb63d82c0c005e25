import { pictureNames } from '../generators/picture-names.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { contrastRatio } from '../theme/contrast.ts'
import type { Art, Composition } from './compose.ts'
import { type ArtMeasure, SAFE_RADIUS } from './measure-art.ts'

/** A picture to be drawn. */
export type PlannedPicture = { readonly path: string; readonly composition: Composition }

export type PlanParameters = {
  readonly brand: ResolvedBrand
  readonly icon: Art
  readonly iconMeasure: ArtMeasure
  readonly logo: Art
  readonly logoDark: Art
  readonly mark: Art
  readonly socialCard: Art | null
}

/** Sets of pictures. `web` is always drawn, the others on request. */
export type PictureSet = 'web' | 'android' | 'ios'

const densities = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 } as const
/** Share of a rounded tile that its art takes. */
const TILE_SHARE = 0.7
const TILE_CORNER = 0.22
const SPLASH_PIXELS = 2_732

export const planPictures = (
  parameters: PlanParameters,
  sets: readonly PictureSet[],
): readonly PlannedPicture[] => [
  ...(sets.includes('web') ? webPictures(parameters) : []),
  ...(sets.includes('android') ? androidPictures(parameters) : []),
  ...(sets.includes('ios') ? iosPictures(parameters) : []),
]

const square = (
  size: number,
  art: Art,
  rest: Omit<Composition, 'width' | 'height' | 'art'>,
): Composition => ({
  width: size,
  height: size,
  art,
  ...rest,
})

/** The icon as people see it: a filled one as it is, another one on a rounded tile. */
export function tile({ brand, icon, iconMeasure }: PlanParameters, size: number): Composition {
  if (iconMeasure.isFilled) return square(size, icon, { share: 1 })
  return square(size, icon, { ground: brand.assets.splashBackground, corner: TILE_CORNER, share: TILE_SHARE })
}

/** Full-bleed icon, cropped by the system. Art without a background is shrunk into the safe circle. */
function maskable(
  { brand, icon, iconMeasure }: PlanParameters,
  size: number,
  safe = SAFE_RADIUS,
): Composition {
  const share = iconMeasure.isFilled ? 1 : Math.min(1, safe / Math.max(iconMeasure.radius, 0.1))
  return square(size, icon, { ground: brand.assets.splashBackground, share })
}

/** Chooses the logo with enough contrast to a background. */
const logoOn = ({ logo, logoDark }: PlanParameters, ground: string): Art =>
  contrastRatio(ground, '#ffffff') > contrastRatio(ground, '#000000') ? logoDark : logo

function webPictures(parameters: PlanParameters): readonly PlannedPicture[] {
  const { brand, mark, socialCard } = parameters
  const ground = brand.assets.splashBackground
  const card: Composition =
    socialCard === null
      ? { width: 1200, height: 630, ground, art: logoOn(parameters, ground), share: 0.5 }
      : { width: 1200, height: 630, art: socialCard, share: 1 }
  return [
    { path: pictureNames.icon192, composition: tile(parameters, 192) },
    { path: pictureNames.icon512, composition: tile(parameters, 512) },
    { path: pictureNames.maskable192, composition: maskable(parameters, 192) },
    { path: pictureNames.maskable512, composition: maskable(parameters, 512) },
    { path: pictureNames.appleTouch, composition: maskable(parameters, 180) },
    { path: pictureNames.badge, composition: square(96, mark, { share: 1, isSilhouette: true }) },
    { path: pictureNames.socialCard, composition: card },
  ]
}

/** Plans legacy, round and adaptive launcher icons, their monochrome layer, and the notification icon. */
function androidPictures(parameters: PlanParameters): readonly PlannedPicture[] {
  const { icon, iconMeasure, mark } = parameters
  // Of 108 parts of an adaptive icon, 72 may be visible and 66 always are.
  const layer = iconMeasure.isFilled ? 1 : 66 / 108 / Math.max(iconMeasure.radius, 0.1)
  const share = Math.min(1, layer)
  return Object.entries(densities).flatMap(([density, factor]) => {
    const mipmap = `android/res/mipmap-${density}`
    return [
      { path: `${mipmap}/ic_launcher.png`, composition: tile(parameters, 48 * factor) },
      {
        path: `${mipmap}/ic_launcher_round.png`,
        composition: { ...maskable(parameters, 48 * factor), corner: 0.5 },
      },
      { path: `${mipmap}/ic_launcher_foreground.png`, composition: square(108 * factor, icon, { share }) },
      {
        path: `${mipmap}/ic_launcher_monochrome.png`,
        composition: square(108 * factor, mark, { share: 0.5, isSilhouette: true }),
      },
      {
        path: `android/res/drawable-${density}/ic_stat_notify.png`,
        composition: square(24 * factor, mark, { share: 0.92, isSilhouette: true }),
      },
    ]
  })
}

function iosPictures(parameters: PlanParameters): readonly PlannedPicture[] {
  return [{ path: 'ios/AppIcon-1024.png', composition: maskable(parameters, 1024) }]
}

/** Splash screens of packages in both modes. Browsers draw theirs from the manifest. */
export function splashScreens(
  parameters: PlanParameters,
  grounds: { readonly light: string; readonly dark: string },
): readonly PlannedPicture[] {
  return (['light', 'dark'] as const).map((mode) => {
    const ground = grounds[mode]
    const art = logoOn(parameters, ground)
    return {
      path: `splash/splash-${mode}.png`,
      composition: square(SPLASH_PIXELS, art, { ground, share: 0.4 }),
    }
  })
}
