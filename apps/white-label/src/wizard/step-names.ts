import type { Finding } from './verdicts.ts'
import { settingOf } from './verdicts.ts'
import type { WordKey } from './words.ts'

export const stepNames = [
  'name',
  'look',
  'colour',
  'pictures',
  'token',
  'network',
  'rules',
  'words',
  'check',
] as const
export type StepName = (typeof stepNames)[number]

/** Parts of the schema that belong to a step, by the begin of their path. The longest one counts. */
const owners: Readonly<Record<string, StepName>> = {
  app: 'name',
  id: 'name',
  theme: 'colour',
  'theme.mode': 'look',
  'theme.radius': 'look',
  'theme.shape': 'look',
  'theme.density': 'look',
  'theme.hero': 'look',
  'theme.ground': 'look',
  'theme.font': 'look',
  'theme.headings': 'look',
  assets: 'pictures',
  token: 'token',
  network: 'network',
  referral: 'rules',
  features: 'rules',
  mining: 'rules',
  security: 'rules',
  legal: 'rules',
  i18n: 'words',
  links: 'words',
  screens: 'words',
}

/** Settings that most brands decide: a step without one of them is open. */
export const decisions: Readonly<Record<StepName, readonly string[]>> = {
  name: ['app.name', 'app.shortName', 'app.tagline', 'app.publisher', 'app.supportEmail'],
  look: ['theme.mode', 'theme.radius', 'theme.shape', 'theme.hero', 'theme.ground'],
  colour: ['theme.primary', 'theme.accent'],
  pictures: ['assets.logo', 'assets.icon', 'assets.socialCard'],
  token: ['token.hash', 'token.ticker', 'token.decimals'],
  network: ['network.preset'],
  rules: ['referral.enabled', 'mining.minBattery', 'security.lock', 'legal.version'],
  words: ['i18n.enabled', 'links.terms', 'links.privacy', 'links.support'],
  check: [],
}

/** Returns the step of a setting, or of a file that a finding names. Whatever belongs nowhere else is in the last one. */
export function stepOf(path: string): StepName {
  const parts = path.replaceAll('/', '.').split('.')
  for (let length = parts.length; length > 0; length--) {
    const owner = owners[parts.slice(0, length).join('.').replace(/\[.*$/, '')]
    if (owner !== undefined) return owner
  }
  return 'check'
}

/** Returns the findings of each step. */
export function findingsByStep(findings: readonly Finding[]): ReadonlyMap<StepName, readonly Finding[]> {
  const placed = findings.map((one) => ({ one, step: stepOf(settingOf(one)) }))
  return new Map(
    stepNames.map((name) => [name, placed.filter(({ step }) => step === name).map(({ one }) => one)]),
  )
}

export const stepWords: Readonly<Record<StepName, WordKey>> = {
  name: 'step.name',
  look: 'step.look',
  colour: 'step.colour',
  pictures: 'step.pictures',
  token: 'step.token',
  network: 'step.network',
  rules: 'step.rules',
  words: 'step.words',
  check: 'step.check',
}
