import type { BrandFiles } from '../checks/check-context.ts'
import { configHash } from '../layers/canonical-json.ts'
import { artSlots, type ResolvedBrand } from '../layers/resolved-brand.ts'
import type { RuntimeBrand } from '../runtime/runtime-brand.ts'
import { languageFiles } from '../strings/string-rules.ts'
import { deriveTheme } from '../theme/derive-theme.ts'
import { artName, servedName } from './picture-names.ts'
import { listedScreens } from './screens.ts'

/** Selects what the app shell loads. Members are listed explicitly, so that nothing else of a brand is published. */
export function runtimeBrand(brand: ResolvedBrand, files: BrandFiles): RuntimeBrand {
  const { schema, id, environment, app, token, network, referral } = brand
  const { links, legal, features, security, deepLink, update } = brand
  // The package with the service has another app in it: no app reads this setting.
  const { screenOff: _, ...mining } = brand.mining
  const { logo, logoDark, icon } = brand.assets
  return {
    schema,
    id,
    environment,
    configHash: configHash(brand),
    app,
    token,
    network,
    referral,
    theme: deriveTheme(brand.theme).theme,
    assets: {
      logo: servedName('logo', logo),
      logoDark: logoDark === null ? null : servedName('logo-dark', logoDark),
      icon: servedName('icon', icon),
      art: servedArt(brand),
    },
    links,
    legal,
    features,
    mining,
    security,
    i18n: { ...brand.i18n, overridden: overriddenLanguages(brand, files) },
    deepLink,
    update,
    screens: listedScreens(brand, files),
    locked: lockedValues(brand),
  }
}

const servedArt = ({ assets }: ResolvedBrand): RuntimeBrand['assets']['art'] => {
  const served = artSlots.map((slot) => {
    const source = assets.art[slot]
    return [slot, source === null ? null : servedName(artName(slot), source)]
  })
  return Object.fromEntries(served) as RuntimeBrand['assets']['art']
}

const overriddenLanguages = ({ i18n }: ResolvedBrand, files: BrandFiles): readonly string[] =>
  languageFiles(files)
    .map(({ language }) => language)
    .filter((language) => i18n.enabled.includes(language))
    .sort()

/** Returns the settings that users cannot change; the app shows them before the first mining. */
function lockedValues({ referral }: ResolvedBrand): RuntimeBrand['locked'] {
  const isAgentLocked = referral.enabled && referral.defaultAgent !== null && !referral.userCanChange
  return ['token', 'network', ...(isAgentLocked ? (['agent'] as const) : [])]
}
