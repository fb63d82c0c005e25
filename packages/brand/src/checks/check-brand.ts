import type { EnvironmentName } from '../define-brand.ts'
import { distinct, type Finding, finding, hasErrors, joinPath, shown } from '../findings/finding.ts'
import { configHash } from '../layers/canonical-json.ts'
import { deepFreeze } from '../layers/deep-freeze.ts'
import { mergeLayers } from '../layers/merge-layers.ts'
import { migrate } from '../layers/migrate.ts'
import { parsePath, valueAt } from '../layers/path.ts'
import { copyPlainData, isPlainObject, type PlainObject } from '../layers/plain-data.ts'
import { fileWithoutRemoved, withoutRemoved } from '../layers/removed-settings.ts'
import { resolveBrand } from '../layers/resolve-brand.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { shellDefaults } from '../layers/shell-defaults.ts'
import { mergedSchema } from '../schema/brand-schema.ts'
import { structureFindings } from '../schema/findings-of-issues.ts'
import { fileSchema, layerSchema } from '../schema/layer-schema.ts'
import { brandableStrings, type StringCatalogue } from '../strings/string-catalogue.ts'
import { stringFindings } from '../strings/string-rules.ts'
import { appRules } from './app-rules.ts'
import { assetRules } from './asset-rules.ts'
import { behaviourRules } from './behaviour-rules.ts'
import { builtFindings } from './built-rules.ts'
import type { BrandFiles, Rule, Target } from './check-context.ts'
import { deliveryRules } from './delivery-rules.ts'
import { languageRules } from './language-rules.ts'
import { legalRules } from './legal-rules.ts'
import { linkRules } from './link-rules.ts'
import { networkRules } from './network-rules.ts'
import { referralRules } from './referral-rules.ts'
import { screenRules } from './screen-rules.ts'
import { secretFindings } from './secret-rules.ts'
import { settingRules } from './setting-rules.ts'
import { textFindings, textsOf } from './text-rules.ts'
import { themeRules } from './theme-rules.ts'
import { tokenRules } from './token-rules.ts'

/** A brand in its folder. */
export type BrandSource = {
  /** Content of the brand file, not trusted. */
  readonly config: unknown
  readonly files: BrandFiles
  /** Undefined if the brand has no folder yet. */
  readonly folderName?: string | undefined
}

export type CheckBrandParameters = {
  readonly source: BrandSource
  /** @default 'dev' */
  readonly environment?: EnvironmentName | undefined
  /** @default 'web' */
  readonly target?: Target | undefined
  /** Settings of the command line, which override all others. */
  readonly flags?: unknown
  /** Texts of the app. @default those that brands change most often */
  readonly catalogue?: StringCatalogue | undefined
}

/** Result of {@link checkBrand}. */
export type BrandReport = {
  readonly findings: readonly Finding[]
  /** The merged brand, filled and frozen; null if its structure is too wrong to merge. */
  readonly brand: ResolvedBrand | null
  /** SHA-256 of the canonical JSON of `brand`. */
  readonly configHash: string | null
}

const rules: readonly Rule[] = [
  appRules,
  tokenRules,
  networkRules,
  referralRules,
  themeRules,
  assetRules,
  languageRules,
  stringFindings,
  screenRules,
  linkRules,
  legalRules,
  behaviourRules,
  deliveryRules,
  settingRules,
]

type Layers = { readonly file: PlainObject; readonly environment: PlainObject; readonly flags: PlainObject }

/**
 * Checks a brand without network access: structure, texts, secrets, addresses, colours, pictures and the rules of the
 * target. Pure: the same source gives the same report. Never throws because of a brand's content.
 */
export function checkBrand(parameters: CheckBrandParameters): BrandReport {
  const { source, environment = 'dev', flags = {} } = parameters
  const copy = copyPlainData(source.config)
  const flagCopy = copyPlainData(flags)
  const early = [...copy.findings, ...flagCopy.findings.map(asFlag)]
  if (!isPlainObject(copy.data)) {
    const found = shown(source.config)
    return unreadable([...early, finding('wrong-type', { path: 'brand', expected: 'an object', found })])
  }
  const { brand: migrated, findings: versions } = migrate(copy.data)
  if (migrated === null) return unreadable([...early, ...versions])
  const written = { file: migrated, flags: isPlainObject(flagCopy.data) ? flagCopy.data : {} }
  const kept = { file: fileWithoutRemoved(written.file), flags: withoutRemoved(written.flags) }
  const removed = [...kept.file.findings, ...kept.flags.findings.map(asFlag)]
  const file = kept.file.layer
  const layers: Layers = {
    file,
    environment: environmentOf(file, environment),
    flags: kept.flags.layer,
  }
  const structure = [...early, ...versions, ...removed, ...wordFindings(written), ...layerFindings(layers)]
  const { environments: _, $schema: __, ...base } = file
  const given = mergeLayers([base, layers.environment, layers.flags])
  const merged = mergeLayers([shellDefaults, given])
  const gaps = structureFindings({ schema: mergedSchema, input: merged, prefix: [] }).map((one) =>
    placed(one, layers, environment),
  )
  const all = distinct([...structure, ...gaps])
  if (gaps.some(({ severity }) => severity === 'error')) return unreadable(all)
  return withRules({ ...parameters, environment, layers, given, merged, structure: all })
}

const unreadable = (findings: readonly Finding[]): BrandReport => ({
  findings: distinct(findings),
  brand: null,
  configHash: null,
})

function environmentOf(file: PlainObject, name: EnvironmentName): PlainObject {
  const layer = valueAt(file, ['environments', name])
  return isPlainObject(layer) ? layer : {}
}

/** Finds secrets, hidden characters and markup in all texts, keys included. */
function wordFindings({ file, flags }: Pick<Layers, 'file' | 'flags'>): readonly Finding[] {
  const { $schema: _, ...words } = file
  const check = (data: PlainObject): readonly Finding[] => [
    ...textsOf(data).flatMap((text) => [...secretFindings(text), ...textFindings(text)]),
    ...keysOf(data).flatMap((key) => secretFindings({ path: 'a key', text: key })),
  ]
  return [...check(words), ...check(flags).map(asFlag)]
}

const keysOf = (data: PlainObject): readonly string[] =>
  Object.entries(data).flatMap(([key, member]) => [key, ...(isPlainObject(member) ? keysOf(member) : [])])

/** Checks each layer separately, so that a finding names the right one. */
function layerFindings({ file, flags }: Layers): readonly Finding[] {
  const environments = valueAt(file, ['environments'])
  const unknown = isPlainObject(environments)
    ? Object.keys(environments).filter((name) => !['dev', 'staging', 'prod'].includes(name))
    : []
  return [
    ...unknown.map((name) =>
      finding('environment-unknown', { path: `environments.${name}`, found: `the key ${shown(name)}` }),
    ),
    ...structureFindings({ schema: fileSchema, input: file, prefix: [] }).filter(
      ({ name, path }) => name !== 'unknown-key' || !unknown.includes(path.replace('environments.', '')),
    ),
    ...structureFindings({ schema: layerSchema, input: flags, prefix: [] }).map(asFlag),
  ]
}

const asFlag = (one: Finding): Finding => ({ ...one, path: `--set ${one.path}` })

/** Adds the layer that a merged value came from. */
function placed(one: Finding, layers: Layers, environment: EnvironmentName): Finding {
  const parts = parsePath(one.path)
  if (valueAt(layers.flags, parts) !== undefined) return asFlag(one)
  const isFromEnvironment = valueAt(layers.environment, parts) !== undefined
  return isFromEnvironment ? { ...one, path: joinPath(['environments', environment, ...parts]) } : one
}

type RuleParameters = CheckBrandParameters & {
  readonly environment: EnvironmentName
  readonly layers: Layers
  readonly given: PlainObject
  readonly merged: PlainObject
  readonly structure: readonly Finding[]
}

function withRules({
  source,
  environment,
  target = 'web',
  layers,
  given,
  merged,
  structure,
  ...rest
}: RuleParameters): BrandReport {
  const brand = deepFreeze(resolveBrand(merged, environment))
  const catalogue = rest.catalogue ?? brandableStrings
  const isWholeApp = rest.catalogue !== undefined
  const { files } = source
  const context = { brand, merged, given, environment, target, files, catalogue, isWholeApp }
  const found = [...rules.flatMap((rule) => rule(context)), ...testTokens(brand, layers)].map((one) =>
    placed(one, layers, environment),
  )
  const folder =
    source.folderName !== undefined && source.folderName !== brand.id
      ? [
          finding('id-differs-from-folder', {
            path: 'id',
            expected: shown(source.folderName),
            found: shown(brand.id),
          }),
        ]
      : []
  const findings = distinct([...structure, ...folder, ...found])
  const built = hasErrors(findings) ? [] : builtFindings(brand, source.files)
  return { findings: [...findings, ...built], brand, configHash: configHash(brand) }
}

/** Finds the hash of a test network in production: no token has the same hash on two networks, except native coins. */
function testTokens({ environment, token, network }: ResolvedBrand, layers: Layers): readonly Finding[] {
  if (environment !== 'prod' || isTestNetwork(network.preset) || token.hash === network.nativeToken) return []
  const { environments: _, ...base } = layers.file
  const isTested = (['dev', 'staging'] as const).some((name) => {
    const other = mergeLayers([shellDefaults, base, environmentOf(layers.file, name), layers.flags])
    return (
      isTestNetwork(valueAt(other, ['network', 'preset'])) && valueAt(other, ['token', 'hash']) === token.hash
    )
  })
  const facts = { path: 'token.hash', found: `${token.hash}, of a test network`, isPublic: true }
  return isTested ? [finding('test-token-in-production', facts)] : []
}

const isTestNetwork = (preset: unknown): boolean => preset === 'testnet' || preset === 'devnet'

/** True if the brand has no errors and may be built. */
export const isBuildable = (report: BrandReport): boolean =>
  report.brand !== null && !hasErrors(report.findings)
