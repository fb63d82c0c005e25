import { type Finding, finding, shown } from '../findings/finding.ts'
import { valueAt } from '../layers/path.ts'
import type { CheckContext, Rule } from './check-context.ts'
import { hasEmoji } from './text-rules.ts'
import { urlFindings } from './url-rules.ts'

/** Rules for names, publisher and homepage. */
export const appRules: Rule = (context) => {
  const { brand, environment } = context
  const { app } = brand
  return [
    ...emojiFindings(context),
    ...homepageFindings(context),
    ...(environment === 'prod' && brand.links.support === null && app.supportEmail === null
      ? [finding('contact-missing', { path: 'links.support', found: 'neither' })]
      : []),
  ]
}

/** Emoji are refused only in the name under the icon. */
function emojiFindings({ brand, merged }: CheckContext): readonly Finding[] {
  if (!hasEmoji(brand.app.shortName)) return []
  const isOwn = valueAt(merged, ['app', 'shortName']) !== undefined
  const fix = isOwn ? undefined : 'Add app.shortName without emoji.'
  return [
    finding('emoji-refused', {
      path: isOwn ? 'app.shortName' : 'app.name',
      found: shown(brand.app.shortName),
      fix,
    }),
  ]
}

function homepageFindings({ brand, environment }: CheckContext): readonly Finding[] {
  const text = brand.app.homepage
  return text === null
    ? []
    : urlFindings({ path: 'app.homepage', text, allowsPrivate: environment === 'dev' })
}
