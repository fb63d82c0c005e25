import type { BrandSource } from '../src/checks/check-brand.ts'
import type { Brand } from '../src/define-brand.ts'

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

export const svg = (inside: string, attributes = 'viewBox="0 0 64 64"'): Uint8Array =>
  bytesOf(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)

export const circle = svg('<circle cx="32" cy="32" r="20" fill="#ffffff"/>')

/** A minimal brand without findings in dev, plus what prod requires. */
export const goodBrand: Brand = {
  schema: 1,
  id: 'acme',
  app: { name: 'Acme Mining', homepage: 'https://acme.example', supportEmail: 'help@acme.example' },
  token: { hash: 'ab'.repeat(32), ticker: 'ACME', decimals: 8 },
  network: { preset: 'custom', api: 'https://api.acme.example/api/v1', poa: ['wss://gate.acme.example/'] },
  theme: { primary: '#3a6ea5' },
  assets: { logo: 'assets/logo.svg', icon: 'assets/icon.svg' },
  links: { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' },
}

export const goodFiles: ReadonlyMap<string, Uint8Array> = new Map([
  ['assets/logo.svg', circle],
  ['assets/icon.svg', circle],
])

export const goodSource: BrandSource = { config: goodBrand, files: goodFiles, folderName: 'acme' }

/** Returns the good brand with one value replaced; `undefined` removes it. */
export function brandWith(path: string, value: unknown): unknown {
  const copy = structuredClone(goodBrand) as Record<string, unknown>
  const parts = path.split('.')
  let place = copy
  for (const part of parts.slice(0, -1)) {
    if (typeof place[part] !== 'object' || place[part] === null) place[part] = {}
    place = place[part] as Record<string, unknown>
  }
  const last = parts.at(-1) ?? ''
  if (value === undefined) delete place[last]
  else Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

export const filesWith = (path: string, bytes: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map([...goodFiles, [path, bytes]])
