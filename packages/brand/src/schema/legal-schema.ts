import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

const translation = z.strictObject({
  language: needed(leaf.language(), 'Language of the two texts, one of i18n.enabled. Example: "de".'),
  terms: optional(leaf.url(), 'Terms of use in this language, https. Default: links.terms.'),
  privacy: optional(leaf.url(), 'Privacy policy in this language, https. Default: links.privacy.'),
})

export const legal = z.strictObject({
  version: optional(
    leaf.text(30),
    'Version of terms and privacy policy. After a change people are asked again; mining waits and goes on once they accept. An app that stays open or offline mines on under the version accepted last; it looks for a new build when it is opened and every six hours, and its notice of the update says that consent is asked anew. Example: "2026-03". Default: none, they are asked once.',
  ),
  minimumAge: optional(
    leaf.whole(1, 99),
    'Age in years, which people confirm before they begin. Default: none, nobody is asked.',
  ),
  translations: optional(
    z.array(translation).max(40, 'out-of-range'),
    'Terms and privacy policy in other languages; people read those of their language. Default: none, everybody reads links.terms and links.privacy.',
  ),
})
