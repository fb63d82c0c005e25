export {
  type BrandReport,
  type BrandSource,
  type CheckBrandParameters,
  checkBrand,
  isBuildable,
} from './checks/check-brand.ts'
export type { BrandFiles, Target } from './checks/check-context.ts'
export { hasHiddenCharacters, looksLikeAnother } from './checks/text-rules.ts'
export { type CodeEntry, codes, type FindingCode, type FindingName, type Severity } from './findings/codes.ts'
export { type Finding, hasErrors } from './findings/finding.ts'
export { appleAppSiteAssociation, assetLinks } from './generators/association-files.ts'
export {
  connectSources,
  contentSecurityPolicy,
  TRUSTED_TYPES_POLICY,
} from './generators/content-security-policy.ts'
export { pictureNames } from './generators/picture-names.ts'
export { runtimeBrand } from './generators/runtime-brand.ts'
export { listedScreens } from './generators/screens.ts'
export { textFiles } from './generators/text-files.ts'
export { webManifest } from './generators/web-manifest.ts'
export { canonicalJson, configHash } from './layers/canonical-json.ts'
export { mergeLayers } from './layers/merge-layers.ts'
export { type NetworkPreset, networkPresets, type PresetName } from './layers/network-presets.ts'
export type { ResolvedBrand, ResolvedFont } from './layers/resolved-brand.ts'
export { directionOf } from './runtime/direction-of.ts'
export { type BrandSetting, brandSettings } from './schema/brand-settings.ts'
export {
  isShippedLanguage,
  type ShippedLanguage,
  shippedLanguages,
} from './schema/shipped-languages.ts'
export { isEnglish, isForOneNumber, textsFor } from './strings/language-texts.ts'
export { brandableStrings, type StringCatalogue } from './strings/string-catalogue.ts'
export { contrastRatio, PART_CONTRAST, relativeLuminance, TEXT_CONTRAST } from './theme/contrast.ts'
export { type ContrastGap, type DerivedTheme, deriveTheme, type ThemeInputs } from './theme/derive-theme.ts'
export { themeCss } from './theme/theme-css.ts'
