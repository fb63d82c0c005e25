import { type Finding, finding, shown } from '../findings/finding.ts'
import type { CheckContext, Rule } from './check-context.ts'

/** Rules for legal texts: what a version is of, and languages that somebody can choose. */
export const legalRules: Rule = (context) => [...versionFindings(context), ...languageFindings(context)]

function versionFindings({ brand }: CheckContext): readonly Finding[] {
  const { version } = brand.legal
  const { terms, privacy } = brand.links
  if (version === null || terms !== null || privacy !== null) return []
  return [finding('legal-version-without-text', { path: 'legal.version', found: shown(version) })]
}

function languageFindings({ brand }: CheckContext): readonly Finding[] {
  const languages = brand.legal.translations.map(({ language }) => language)
  return languages.flatMap((language, index) => {
    const path = `legal.translations[${index}].language`
    const found = shown(language)
    if (languages.indexOf(language) !== index) return [finding('legal-language-repeated', { path, found })]
    return brand.i18n.enabled.includes(language) ? [] : [finding('legal-language-unused', { path, found })]
  })
}
