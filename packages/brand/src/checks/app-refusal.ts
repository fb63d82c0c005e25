import { isNodeError } from '@hailstone/protocol'
import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'
import { runtimeBrand } from '../generators/runtime-brand.ts'
import { parsePath, valueAt } from '../layers/path.ts'
import { copyPlainData } from '../layers/plain-data.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { readRuntimeBrand } from '../runtime/read-runtime-brand.ts'
import type { BrandFiles } from './check-context.ts'

/**
 * Reads the brand as the app does at its start. Finds what the app would refuse although no rule has an error for it,
 * so that no build can start with an error.
 */
export function appRefusals(brand: ResolvedBrand, files: BrandFiles): readonly Finding[] {
  const data = runtimeBrand(brand, files)
  const text = JSON.stringify(data)
  try {
    readRuntimeBrand(text)
    return []
  } catch (error) {
    if (!isNodeError(error, 'CONFIGURATION_INVALID')) throw error
    const parts = parsePath(error.facts.path.replace(/^brand\.json ?/, ''))
    if (parts.length === 0)
      return [finding('app-refuses', { path: 'brand', found: `${text.length} characters` })]
    return [
      finding('app-refuses', {
        path: joinPath(parts),
        found: shown(valueAt(copyPlainData(data).data, parts)),
      }),
    ]
  }
}
