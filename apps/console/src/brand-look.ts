import { extname } from 'node:path'
import type { Palette, Theme } from '@hailstone/brand/runtime'
import { checkBrandFolder, runtimeBrand } from '@hailstone/brand/tools'
import { CommandLineError } from '@hailstone/runtime/node'

/** The name, colours and icon of a partner. */
export type BrandLook = {
  readonly name: string
  readonly tokenId: string
  /** Sets the colours of the page, in both modes. */
  readonly css: string
  readonly icon: { readonly type: string; readonly body: Uint8Array }
}

const iconTypes: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' }

/** Colours of the page. Each pair that meets on it is one that the check of a brand holds to its least contrast. */
const coloursOf = (palette: Palette): Readonly<Record<string, string>> => ({
  ground: palette.background,
  raised: palette.surface,
  text: palette.text,
  muted: palette['text-muted'],
  border: palette.border,
  accent: palette['primary-text'],
  bad: palette['danger-text'],
  'line-1': palette['primary-text'],
  'line-2': palette['accent-text'],
  'line-3': palette['success-text'],
  'line-4': palette['warning-text'],
})

const declarations = (palette: Palette): string =>
  Object.entries(coloursOf(palette))
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** Charts are drawn with the values that stand at their element, so the colours are set there too. */
const cssOf = ({ light, dark }: Pick<Theme, 'light' | 'dark'>): string =>
  `:root,.chart{${declarations(light)}}@media (prefers-color-scheme:dark){:root,.chart{${declarations(dark)}}}\n`

/**
 * Reads the look of a brand from its folder. A `brand.ts` or `brand.js` is a program and is executed.
 *
 * @throws {CommandLineError} for a brand that `hailstone-brand check` refuses
 */
export async function readBrandLook(folder: string): Promise<BrandLook> {
  const report = await checkBrandFolder({ folder })
  const { brand, files, findings } = report
  // The console has not the texts of the app, and shows none of the brand's: most of their keys are unknown here.
  const errors = findings.filter(
    ({ severity, name }) => severity === 'error' && name !== 'string-key-unknown',
  )
  if (brand === null || errors.length > 0) {
    const sentences = errors.slice(0, 3).map(({ path, found, fix }) => `  ${path}: ${found}. ${fix}`)
    throw new CommandLineError(
      [`The brand in ${folder} cannot be shown; hailstone-brand check names every fault.`, ...sentences].join(
        '\n',
      ),
    )
  }
  const type = iconTypes[extname(brand.assets.icon)]
  const body = files.get(brand.assets.icon)
  if (type === undefined || body === undefined)
    throw new CommandLineError(
      `The icon ${brand.assets.icon} of the brand should be an SVG or a PNG in its folder.`,
    )
  return {
    name: brand.app.name,
    tokenId: brand.token.hash,
    css: cssOf(runtimeBrand(brand, files).theme),
    icon: { type, body },
  }
}
