import type { BrandFiles } from '../checks/check-context.ts'
import { pictureNames } from '../generators/picture-names.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { deriveTheme } from '../theme/derive-theme.ts'
import { type Art, artOf, compose } from './compose.ts'
import { packIco } from './ico.ts'
import { measureArt } from './measure-art.ts'
import { type PictureSet, type PlanParameters, planPictures, splashScreens, tile } from './picture-plan.ts'
import { openRasterizer, type Rasterizer } from './rasterizer.ts'

export type GenerateAssetsParameters = {
  /** A brand without errors. */
  readonly brand: ResolvedBrand
  readonly files: BrandFiles
  /** @default all */
  readonly sets?: readonly PictureSet[] | undefined
}

const encoder = new TextEncoder()

/**
 * Draws every picture of a brand's app from its logo and icon: icons, maskable icons, favicons, social card, splash
 * screens, launcher and notification icons. The same brand gives the same bytes on every machine.
 */
export async function generateAssets({
  brand,
  files,
  sets = ['web', 'android', 'ios'],
}: GenerateAssetsParameters): Promise<ReadonlyMap<string, Uint8Array>> {
  const rasterizer = await openRasterizer()
  const parameters = planParameters(rasterizer, brand, files)
  const { light, dark } = deriveTheme(brand.theme).theme
  const isPackaged = sets.includes('android') || sets.includes('ios')
  const grounds = { light: light.background, dark: dark.background }
  const planned = [
    ...planPictures(parameters, sets),
    ...(isPackaged ? splashScreens(parameters, grounds) : []),
  ]
  const pictures = planned.map(({ path, composition }) => {
    return [path, rasterizer.png(compose(composition), composition.width)] as const
  })
  const favicons = sets.includes('web') ? faviconsOf(rasterizer, parameters) : []
  const texts = sets.includes('android') ? launcherTexts(brand.assets.splashBackground) : []
  return new Map([...pictures, ...favicons, ...texts])
}

/** Returns the path of the picture from which notification icons are made. */
export const markPathOf = ({ assets }: ResolvedBrand, isIconFilled: boolean): string =>
  assets.mark ?? (isIconFilled ? assets.logo : assets.icon)

function planParameters(rasterizer: Rasterizer, brand: ResolvedBrand, files: BrandFiles): PlanParameters {
  const art = (path: string): Art => {
    const bytes = files.get(path)
    if (bytes === undefined) throw new Error(`No file ${path}: check the brand before drawing its pictures.`)
    return artOf(path, bytes)
  }
  const { assets } = brand
  const icon = art(assets.icon)
  const iconMeasure = measureArt(rasterizer, icon)
  return {
    brand,
    icon,
    iconMeasure,
    logo: art(assets.logo),
    logoDark: art(assets.logoDark ?? assets.logo),
    mark: art(markPathOf(brand, iconMeasure.isFilled)),
    socialCard: assets.socialCard === null ? null : art(assets.socialCard),
  }
}

function faviconsOf(
  rasterizer: Rasterizer,
  parameters: PlanParameters,
): readonly (readonly [string, Uint8Array])[] {
  const pictures = [16, 32, 48].map((size) => ({
    size,
    png: rasterizer.png(compose(tile(parameters, size)), size),
  }))
  return [
    [pictureNames.favicon, encoder.encode(compose(tile(parameters, 64)))],
    [pictureNames.faviconIco, packIco(pictures)],
  ]
}

/** Android resources that combine the layers of an adaptive icon. */
function launcherTexts(ground: string): readonly (readonly [string, Uint8Array])[] {
  const head = '<?xml version="1.0" encoding="utf-8"?>\n'
  const layers = ['background', 'foreground', 'monochrome'].map((layer) => {
    const kind = layer === 'background' ? 'color' : 'mipmap'
    return `  <${layer} android:drawable="@${kind}/ic_launcher_${layer}"/>`
  })
  const xmlns = 'xmlns:android="http://schemas.android.com/apk/res/android"'
  const icon = `${head}<adaptive-icon ${xmlns}>\n${layers.join('\n')}\n</adaptive-icon>\n`
  const colour = `${head}<resources>\n  <color name="ic_launcher_background">${ground}</color>\n</resources>\n`
  const folder = 'android/res'
  return [
    [`${folder}/mipmap-anydpi-v26/ic_launcher.xml`, encoder.encode(icon)],
    [`${folder}/mipmap-anydpi-v26/ic_launcher_round.xml`, encoder.encode(icon)],
    [`${folder}/values/ic_launcher_background.xml`, encoder.encode(colour)],
  ]
}
