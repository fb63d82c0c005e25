import type { BrandFiles } from '../checks/check-context.ts'
import { headersFile } from '../hosts/header-files.ts'
import { responseHeaders } from '../hosts/host-rules.ts'
import { artSlots, type ResolvedBrand } from '../layers/resolved-brand.ts'
import { languageFiles, readOverrides } from '../strings/string-rules.ts'
import { deriveTheme } from '../theme/derive-theme.ts'
import { themeCss } from '../theme/theme-css.ts'
import { isVariableFont } from '../theme/variable-font.ts'
import { appleAppSiteAssociation, assetLinks } from './association-files.ts'
import { artName, servedName } from './picture-names.ts'
import { runtimeBrand } from './runtime-brand.ts'
import { printedScreens } from './screens.ts'
import { webManifest } from './web-manifest.ts'

const encoder = new TextEncoder()

/** Returns the text of a built JSON file that people may want to read. */
export const printedJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const json = (value: unknown): Uint8Array => encoder.encode(printedJson(value))

/** Returns all files of a build except pictures, by served path. */
export function textFiles(brand: ResolvedBrand, files: BrandFiles): ReadonlyMap<string, Uint8Array> {
  const { theme } = deriveTheme(brand.theme)
  const isVariable = (file: string): boolean => isVariableFont(files.get(file) ?? new Uint8Array())
  const links = assetLinks(brand)
  const association = appleAppSiteAssociation(brand)
  return new Map([
    ['brand/brand.json', json(runtimeBrand(brand, files))],
    ['brand/theme.css', encoder.encode(themeCss(theme, '/brand/', isVariable))],
    ['manifest.webmanifest', json(webManifest(brand, theme))],
    ['_headers', encoder.encode(headersFile({ headers: responseHeaders(brand) }))],
    ...(links === null ? [] : [['.well-known/assetlinks.json', json(links)] as const]),
    ...(association === null ? [] : [['.well-known/apple-app-site-association', json(association)] as const]),
    ...languageTexts(brand, files),
    ...printedScreens(brand, files).map(([path, text]) => [path, encoder.encode(text)] as const),
    ...copies(brand, files),
  ])
}

function languageTexts(
  { i18n }: ResolvedBrand,
  files: BrandFiles,
): readonly (readonly [string, Uint8Array])[] {
  return languageFiles(files)
    .filter(({ language }) => i18n.enabled.includes(language))
    .map(({ language, path }) => {
      const { overrides } = readOverrides(files.get(path) ?? new Uint8Array(), path)
      return [`brand/i18n/${language}.json`, json(overrides)]
    })
}

/** Copies logo, icon, drawings and fonts unchanged; the checks have verified that they are harmless. */
function copies(
  { assets, theme }: ResolvedBrand,
  files: BrandFiles,
): readonly (readonly [string, Uint8Array])[] {
  const pictures = [
    ['logo', assets.logo],
    ['logo-dark', assets.logoDark],
    ['icon', assets.icon],
    ...artSlots.map((slot) => [artName(slot), assets.art[slot]] as const),
  ] as const
  const named = pictures.flatMap(([kind, source]) =>
    source === null ? [] : [[servedName(kind, source), source] as const],
  )
  const fonts = [theme.font, theme.headings].flatMap((font) =>
    font.kind === 'own' ? font.files.map((file) => [file, file] as const) : [],
  )
  return [...named, ...fonts].flatMap(([name, source]) => {
    const bytes = files.get(source)
    return bytes === undefined ? [] : [[`brand/${name}`, bytes] as const]
  })
}
