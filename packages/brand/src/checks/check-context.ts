import type { EnvironmentName } from '../define-brand.ts'
import type { Finding } from '../findings/finding.ts'
import type { PlainObject } from '../layers/plain-data.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { StringCatalogue } from '../strings/string-catalogue.ts'

/** Where the app is to run; stores and browsers allow different things. */
export type Target = 'web' | 'pwa' | 'android' | 'ios'

export const targets: readonly Target[] = ['web', 'pwa', 'android', 'ios']

/** Files of a brand by their path inside its folder, with forward slashes. */
export type BrandFiles = ReadonlyMap<string, Uint8Array>

/** What a rule may look at. Rules are pure: the same context gives the same findings. */
export type CheckContext = {
  readonly brand: ResolvedBrand
  /** The merged layers before defaults that depend on others; tells what was said from what was filled in. */
  readonly merged: PlainObject
  readonly environment: EnvironmentName
  readonly target: Target
  readonly files: BrandFiles
  readonly catalogue: StringCatalogue
}

export type Rule = (context: CheckContext) => readonly Finding[]
