const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const drawing = (inside: string): Uint8Array =>
  encode(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${inside}</svg>`)

const circle = drawing('<circle cx="32" cy="32" r="20" fill="#ffffff"/>')

/** A brand that can be built. Attacks change one thing of it. */
export const goodBrand = {
  schema: 1,
  id: 'acme',
  app: {
    name: 'Acme Mining',
    shortName: 'Acme',
    tagline: 'Mine with friends',
    publisher: 'Acme',
    homepage: 'https://acme.example',
    supportEmail: 'help@acme.example',
  },
  token: { hash: 'ab'.repeat(32), ticker: 'ACME', decimals: 8, display: { symbol: 'ACME' } },
  network: { preset: 'custom', api: 'https://api.acme.example/api/v1', poa: ['wss://gate.acme.example/'] },
  theme: { primary: '#3a6ea5' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
  links: { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' },
  deepLink: { scheme: 'acme', hosts: ['acme.example'] },
}

export const goodFiles: ReadonlyMap<string, Uint8Array> = new Map([
  ['assets/logo.svg', circle],
  ['assets/icon.svg', circle],
])

/** A copy with another value in the place of each text, one copy for each. */
export function* withEachText<T>(whole: T, replacement: string): Generator<{ path: string; changed: T }> {
  for (const path of textsOf(whole)) {
    const changed = structuredClone(whole)
    const last = path.at(-1) ?? ''
    const place = path.slice(0, -1).reduce((inner: unknown, name) => (inner as Members)[name], changed)
    ;(place as Members)[last] = replacement
    yield { path: path.join('.'), changed }
  }
}

type Members = Record<string, unknown>

function textsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, [...path, name]))
}
