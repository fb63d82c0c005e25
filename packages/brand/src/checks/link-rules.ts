import { type Finding, finding } from '../findings/finding.ts'
import type { CheckContext, Rule } from './check-context.ts'
import { urlFindings } from './url-rules.ts'

/** Returns every link of a brand by path. */
export function linksOf({ links, legal }: CheckContext['brand']): readonly {
  readonly path: string
  readonly text: string
  readonly allowsQuery?: boolean
}[] {
  const single = (['terms', 'privacy', 'support', 'whitepaper', 'statusFeed', 'claim'] as const).flatMap(
    (name) => {
      const text = links[name]
      return text === null ? [] : [{ path: `links.${name}`, text }]
    },
  )
  const translated = legal.translations.flatMap((translation, index) =>
    (['terms', 'privacy'] as const).flatMap((name) => {
      const text = translation[name]
      // The text of `links` has a finding of its own.
      return text === null || text === links[name]
        ? []
        : [{ path: `legal.translations[${index}].${name}`, text }]
    }),
  )
  return [
    ...single,
    ...translated,
    // The answer of a sign-in follows the address as its fragment, and the app compares the whole address.
    ...links.signIn.map((text, index) => ({ path: `links.signIn[${index}]`, text, allowsQuery: false })),
    ...links.community.map(({ url }, index) => ({ path: `links.community[${index}].url`, text: url })),
    ...links.buy.map(({ url }, index) => ({ path: `links.buy[${index}].url`, text: url })),
  ]
}

/** Rules for links: their form, and those that production requires. */
export const linkRules: Rule = ({ brand, environment }) => {
  const allowsPrivate = environment === 'dev'
  const formed = linksOf(brand).flatMap((link) => urlFindings({ ...link, allowsPrivate }))
  const legal = (['terms', 'privacy'] as const)
    .filter((name) => environment === 'prod' && brand.links[name] === null)
    .map((name): Finding => finding('legal-link-missing', { path: `links.${name}`, found: 'nothing' }))
  const buy =
    brand.features.buy && brand.links.buy.length === 0
      ? [finding('buy-link-missing', { path: 'links.buy', found: 'none' })]
      : []
  return [...formed, ...legal, ...buy]
}
