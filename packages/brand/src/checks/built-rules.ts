import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { printedJson } from '../generators/text-files.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { LARGEST_BRAND } from '../runtime/read-runtime-brand.ts'
import { runtimeBrandSchema } from '../runtime/runtime-brand.ts'
import type { BrandFiles } from './check-context.ts'

/**
 * Reads the `brand.json` that a build would write as the app reads it at its start: an app whose `brand.json` is
 * refused starts for nobody. Called for brands without errors, so each finding is a gap between the rules and the app.
 */
export function builtFindings(brand: ResolvedBrand, files: BrandFiles): readonly Finding[] {
  const built: unknown = runtimeBrand(brand, files)
  const { length } = printedJson(built)
  if (length > LARGEST_BRAND) {
    const expected = `at most ${LARGEST_BRAND} characters`
    const fix = 'Shorten the addresses, or leave some out.'
    return [finding('refused-by-app', { path: 'brand.json', expected, found: `${length}`, fix })]
  }
  const result = runtimeBrandSchema.safeParse(built)
  if (result.success) return []
  return result.error.issues.map(({ path }) =>
    finding('refused-by-app', { path: joinPath(path), found: shown(valueAt(built, path)) }),
  )
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner, key) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], value)
