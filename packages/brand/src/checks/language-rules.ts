import { type Finding, finding, shown } from '../findings/finding.ts'
import { languageFix } from '../schema/language-fix.ts'
import { canonicalTag, isShippedLanguage, shippedLanguages } from '../schema/shipped-languages.ts'
import type { Rule } from './check-context.ts'

/** Rules for languages. One that the app lacks comes with a file of its texts. */
export const languageRules: Rule = ({ brand, files }) => {
  const { enabled, default: first } = brand.i18n
  const unknown = enabled.flatMap((tag, index): readonly Finding[] => {
    const isCanonical = canonicalTag(tag) === tag
    if (isCanonical && (isShippedLanguage(tag) || files.has(`i18n/${tag}.json`))) return []
    const path = `i18n.enabled[${index}]`
    return [
      finding('language-unknown', {
        path,
        expected: `one of ${shippedLanguages.join(', ')}, or a language with all texts in i18n/${tag}.json`,
        found: shown(tag),
        fix: languageFix(tag),
      }),
    ]
  })
  const path = 'i18n.default'
  const missing = enabled.includes(first)
    ? []
    : [finding('default-language-disabled', { path, found: shown(first) })]
  return [...unknown, ...missing]
}
