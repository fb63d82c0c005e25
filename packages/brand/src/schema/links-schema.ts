import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

const communityKinds = [
  'telegram',
  'discord',
  'x',
  'facebook',
  'instagram',
  'youtube',
  'reddit',
  'medium',
  'github',
  'matrix',
  'mastodon',
  'forum',
  'blog',
  'other',
] as const

const community = z.strictObject({
  kind: needed(
    z.enum(communityKinds, 'community-kind-unknown'),
    'Service, which determines icon and name of the link.',
  ),
  url: needed(leaf.url(), 'Address, https.'),
})

const buy = z.strictObject({
  label: needed(leaf.text(40), 'Name of the place. Example: "Acme exchange".'),
  url: needed(leaf.url(), 'Address, https.'),
})

export const links = z.strictObject({
  terms: optional(leaf.url(), 'Terms of use, https. Required in prod; accepted before the first run.'),
  privacy: optional(leaf.url(), 'Privacy policy, https. Required in prod.'),
  support: optional(leaf.url(), 'Help page, https.'),
  whitepaper: optional(leaf.url(), 'Whitepaper, https.'),
  statusFeed: optional(
    leaf.url(),
    'Feed of incidents, https, which pages of other hosts may read: summary.json of a status page, or { incidents: [{ id, title, impact, startedAt, url }] }. The app reads it every five minutes while it is seen. Default: none.',
  ),
  claim: optional(
    leaf.url(),
    'Page of yours that gives new miners their first coins, https. The app offers it to people whose balance is below the minimum stake, and opens it with `address` in the query. Default: none.',
  ),
  signIn: optional(
    z.array(leaf.url()).max(8, 'out-of-range'),
    'Pages of yours, https without a query, where people may sign in with the key of their account. The app asks them first and hands its answer to exactly these pages. Default: none, nobody signs in.',
  ),
  community: optional(z.array(community).max(12, 'out-of-range'), 'Links to communities. Default: none.'),
  buy: optional(z.array(buy).max(6, 'out-of-range'), 'Places that sell the token. Needed for features.buy.'),
})
