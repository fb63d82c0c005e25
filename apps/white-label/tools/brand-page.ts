import { contentSecurityPolicy, deriveTheme, type ResolvedBrand } from '@hailstone/brand/check'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (found) => escapes[found] ?? found)
const meta = (name: string, content: string): string => `<meta name="${name}" content="${escaped(content)}">`
const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${escaped(content)}">`

/** The place in the shell's page where a brand goes. */
const MARK = '<!-- brand -->'
const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur']

/**
 * Puts the few things of a brand into the page that have to be there before any script runs: policy, name,
 * colours of the window, icons. Everything else is read from `brand.json`.
 *
 * @throws {Error} when the page has no place for them
 */
export function brandPage(shellPage: string, brand: ResolvedBrand): string {
  const { app, i18n } = brand
  const { theme } = deriveTheme(brand.theme)
  const colours =
    theme.mode === 'system'
      ? [
          `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${theme.light.background}">`,
          `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${theme.dark.background}">`,
        ]
      : [meta('theme-color', theme[theme.mode].background)]
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${escaped(contentSecurityPolicy(brand, 'meta'))}">`,
    ...colours,
    ...(app.tagline === null
      ? []
      : [meta('description', app.tagline), property('og:description', app.tagline)]),
    property('og:title', app.name),
    property('og:image', '/social-card.png'),
    meta('application-name', app.shortName),
    meta('apple-mobile-web-app-title', app.shortName),
    // Asked for by the first script: fetched beside it instead of after it.
    '<link rel="preload" href="/brand/brand.json" as="fetch" crossorigin>',
    '<link rel="manifest" href="/manifest.webmanifest">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon-180.png">',
  ]
  if (!shellPage.includes(MARK))
    throw new Error('The page of the shell has no place for a brand: build it anew.')
  const direction = rightToLeft.includes(i18n.default) ? 'rtl' : 'ltr'
  return shellPage
    .replace(MARK, head.join('\n    '))
    .replace('<html lang="en">', `<html lang="${escaped(i18n.default)}" dir="${direction}">`)
    .replace(/<title>[^<]*<\/title>/, `<title>${escaped(app.name)}</title>`)
}
