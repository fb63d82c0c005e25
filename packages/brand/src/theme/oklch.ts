import {
  clampChroma,
  converter,
  differenceEuclidean,
  formatHex,
  modeOklab,
  modeOklch,
  modeRgb,
  useMode,
} from 'culori/fn'

useMode(modeRgb)
useMode(modeOklab)
useMode(modeOklch)

const toOklch = converter('oklch')
const distance = differenceEuclidean('oklab')

/** A colour in OKLCH: lightness 0 to 1, chroma 0 to about 0.4, hue in degrees. */
export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

/** @param colour `#rrggbb` */
export function readOklch(colour: string): Oklch {
  const { l = 0, c = 0, h = 0 } = toOklch(colour) ?? {}
  return { lightness: l, chroma: c, hue: h }
}

/** Converts to `#rrggbb`. Chroma outside of sRGB is reduced; lightness and hue are kept. */
export function writeOklch({ lightness, chroma, hue }: Oklch): string {
  const l = Math.min(1, Math.max(0, lightness))
  return formatHex(clampChroma({ mode: 'oklch', l, c: chroma, h: hue }, 'oklch')) ?? '#000000'
}

/** Perceptual distance of two colours; 0.02 is just visible. */
export const colourDistance = (left: string, right: string): number => distance(left, right)
