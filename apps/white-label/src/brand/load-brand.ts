import { type RuntimeBrand, readRuntimeBrand } from '@hailstone/brand/runtime'
import { isOfApp, type LanguageTag } from '../i18n/languages.ts'

/**
 * Fetches and checks the brand beside this app. Of its languages, those without texts are left out.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`; errors of `fetch`
 */
export async function loadBrand(): Promise<RuntimeBrand> {
  const answer = await fetch('/brand/brand.json')
  if (!answer.ok) throw new Error(`The brand could not be loaded (${answer.status}).`)
  const brand = readRuntimeBrand(await answer.text())
  const { i18n } = brand
  const enabled = i18n.enabled.filter((tag) => isOfApp(tag) || i18n.overridden.includes(tag))
  return { ...brand, i18n: { ...i18n, enabled } }
}

/** True where a page may only speak encrypted. A native app is served as https://localhost and has a rule of its own. */
export const requiresEncryption = ({
  protocol,
  hostname,
}: Pick<Location, 'protocol' | 'hostname'>): boolean => protocol === 'https:' && hostname !== 'localhost'

/**
 * Refuses a brand whose network is not encrypted on a page that is.
 *
 * @throws {Error} that names the address
 */
export function assertEncrypted(
  { network }: Pick<RuntimeBrand, 'network'>,
  page: Pick<Location, 'protocol' | 'hostname'>,
): void {
  if (!requiresEncryption(page)) return
  const open = [network.api, ...network.poa].find(
    (address) => /^(?:http|ws):/.test(address) && !isHere(address),
  )
  if (open !== undefined)
    throw new Error(`This page is encrypted, and its brand names a network that is not: ${open}`)
}

const isHere = (address: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1])$/.test(new URL(address).hostname)

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string')

/**
 * Returns the brand's own texts for a language; empty if the file cannot be read and the app has texts.
 *
 * @throws {Error} if there are no texts at all
 */
export async function brandTexts(
  brand: RuntimeBrand,
  language: LanguageTag,
): Promise<Readonly<Record<string, string>>> {
  if (!brand.i18n.overridden.includes(language)) return {}
  const answer = await fetch(`/brand/i18n/${language}.json`).catch(() => null)
  const value: unknown = answer?.ok ? await answer.json().catch(() => null) : null
  if (isTexts(value)) return value
  if (isOfApp(language)) return {}
  throw new Error(`There are no texts in ${language}.`)
}
