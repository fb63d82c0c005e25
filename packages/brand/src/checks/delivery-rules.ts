import { isPrivateHost } from '@hailstone/runtime'
import { type Finding, finding, shown } from '../findings/finding.ts'
import type { CheckContext, Rule } from './check-context.ts'

/** Known categories of web app manifests. Source: W3C "Web App Manifest: categories". */
const categories = [
  'books business education entertainment finance fitness food games government health kids lifestyle magazines',
  'medical music navigation news personalization photo politics productivity security shopping social sports',
  'travel utilities weather',
]
const knownCategories: readonly string[] = categories.join(' ').split(' ')

const reservedSchemes: readonly string[] = [
  ...[
    'http',
    'https',
    'ws',
    'wss',
    'ftp',
    'file',
    'data',
    'blob',
    'about',
    'javascript',
    'vbscript',
    'mailto',
  ],
  ...['tel', 'sms', 'intent', 'content', 'chrome', 'android-app', 'ios-app', 'market', 'bitcoin', 'ethereum'],
]

/** Rules for stores, packages and links that open the app. */
export const deliveryRules: Rule = (context) => [
  ...storeFindings(context),
  ...categoryFindings(context),
  ...deepLinkFindings(context),
]

function storeFindings({ brand, target }: CheckContext): readonly Finding[] {
  const { android, ios } = brand.native
  const findings: Finding[] = []
  if (android?.channel === 'play' && brand.mining.enabled) {
    findings.push(
      finding('play-forbids-mining', { path: 'native.android.channel', found: '"play" with mining on' }),
    )
  }
  if (target === 'android' && android === null) {
    findings.push(finding('android-missing', { path: 'native.android', found: 'nothing' }))
  }
  if (target === 'ios' && ios === null)
    findings.push(finding('ios-missing', { path: 'native.ios', found: 'nothing' }))
  if (target === 'ios' && brand.mining.enabled) {
    findings.push(finding('ios-mines-nothing', { path: 'mining.enabled', found: 'true' }))
  }
  return findings
}

const categoryFindings = ({ brand }: CheckContext): readonly Finding[] =>
  brand.pwa.categories.flatMap((category, index) =>
    knownCategories.includes(category)
      ? []
      : [finding('category-unknown', { path: `pwa.categories[${index}]`, found: shown(category) })],
  )

function deepLinkFindings({ brand, environment }: CheckContext): readonly Finding[] {
  const { scheme, hosts } = brand.deepLink
  const reserved = reservedSchemes.includes(scheme)
    ? [finding('deep-link-scheme-reserved', { path: 'deepLink.scheme', found: shown(scheme) })]
    : []
  const privateHosts = hosts.flatMap((host, index) =>
    environment !== 'dev' && isPrivateHost(host)
      ? [finding('host-private', { path: `deepLink.hosts[${index}]`, found: shown(host) })]
      : [],
  )
  return [...reserved, ...privateHosts]
}
