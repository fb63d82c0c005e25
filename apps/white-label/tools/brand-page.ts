import { contentSecurityPolicy, deriveTheme, type ResolvedBrand } from '@hailstone/brand/check'
import { directionOf } from '@hailstone/brand/runtime'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (found) => escapes[found] ?? found)

/** Writes a start tag with escaped attributes. Values enter the page in no other way. */
function tag(name: 'html' | 'meta' | 'link', attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${written.join('')}>`
}
const meta = (name: string, content: string): string => tag('meta', { name, content })
const property = (name: string, content: string): string => tag('meta', { property: name, content })
const themeColour = (mode: 'light' | 'dark', content: string): string =>
  tag('meta', { name: 'theme-color', media: `(prefers-color-scheme: ${mode})`, content })

/** Placeholder in the shell's page for a brand. */
const MARK = /<!-- brand -->/

/**
 * Writes into the page what must be there before any script runs: policy, name, window colours, icons. Everything
 * else is read from `brand.json`.
 *
 * @throws {Error} if the page has no placeholder for them
 */
export function brandPage(shellPage: string, brand: ResolvedBrand): string {
  const { app, i18n } = brand
  const { theme } = deriveTheme(brand.theme)
  const colours =
    theme.mode === 'system'
      ? [themeColour('light', theme.light.background), themeColour('dark', theme.dark.background)]
      : [meta('theme-color', theme[theme.mode].background)]
  const head = [
    tag('meta', { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy(brand, 'meta') }),
    ...colours,
    ...(app.tagline === null
      ? []
      : [meta('description', app.tagline), property('og:description', app.tagline)]),
    property('og:title', app.name),
    property('og:image', '/social-card.png'),
    meta('application-name', app.shortName),
    meta('apple-mobile-web-app-title', app.shortName),
    // Needed by the first script: loaded in parallel with it.
    '<link rel="preload" href="/brand/brand.json" as="fetch" crossorigin>',
    '<link rel="manifest" href="/manifest.webmanifest">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon-180.png">',
  ]
  const direction = directionOf(i18n.default)
  const named = filled(shellPage, /<title>[^<]*<\/title>/, `<title>${escaped(app.name)}</title>`)
  const directed = filled(named, /<html lang="en">/, tag('html', { lang: i18n.default, dir: direction }))
  return filled(directed, MARK, head.join('\n    '))
}

/** Replaces a placeholder. The replacement is a function, since `$'` and `$&` in a string would be patterns. */
function filled(page: string, place: RegExp, text: string): string {
  if (!place.test(page)) throw new Error('The page of the shell has no place for a brand: build it anew.')
  return page.replace(place, () => text)
}
