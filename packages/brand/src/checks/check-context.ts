import type { EnvironmentName } from '../define-brand.ts'
import type { Finding } from '../findings/finding.ts'
import type { PlainObject } from '../layers/plain-data.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { StringCatalogue } from '../strings/string-catalogue.ts'

/** Platform of a build; stores and browsers have different rules. */
export type Target = 'web' | 'pwa' | 'android' | 'ios'

export const targets: readonly Target[] = ['web', 'pwa', 'android', 'ios']

/** Files of a brand by path relative to its folder, with forward slashes. */
export type BrandFiles = ReadonlyMap<string, Uint8Array>

/** Input of a rule. Rules are pure: the same context gives the same findings. */
export type CheckContext = {
  readonly brand: ResolvedBrand
  /** Merged layers without derived defaults; shows which values were set explicitly. */
  readonly merged: PlainObject
  /** The settings of the brand itself, without those of the app. */
  readonly given: PlainObject
  readonly environment: EnvironmentName
  readonly target: Target
  readonly files: BrandFiles
  /** English texts that a brand may word its own way. */
  readonly catalogue: StringCatalogue
  /** True if the catalogue has all texts of the app; false if it has those alone that brands change most. */
  readonly isWholeApp: boolean
}

export type Rule = (context: CheckContext) => readonly Finding[]
