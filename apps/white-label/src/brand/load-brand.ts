import { type RuntimeBrand, readRuntimeBrand } from '@hailstone/brand/runtime'
import type { LanguageTag } from '../i18n/languages.ts'

/** Fetches and checks the brand beside this app. @throws {NodeError} `CONFIGURATION_INVALID`; errors of `fetch` */
export async function loadBrand(): Promise<RuntimeBrand> {
  const answer = await fetch('/brand/brand.json')
  if (!answer.ok) throw new Error(`The brand could not be loaded (${answer.status}).`)
  return readRuntimeBrand(await answer.text())
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string')

/** Returns the brand's own texts for a language; empty if the file cannot be read. */
export async function brandTexts(
  brand: RuntimeBrand,
  language: LanguageTag,
): Promise<Readonly<Record<string, string>>> {
  if (!brand.i18n.overridden.includes(language)) return {}
  const answer = await fetch(`/brand/i18n/${language}.json`).catch(() => null)
  const value: unknown = answer?.ok ? await answer.json().catch(() => null) : null
  return isTexts(value) ? value : {}
}
