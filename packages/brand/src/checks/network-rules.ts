import { canParseUrl } from '@hailstone/runtime'
import { type Finding, finding, shown } from '../findings/finding.ts'
import type { CheckContext, Rule } from './check-context.ts'
import { urlFindings } from './url-rules.ts'

/** Rules for the network's addresses, by target and environment. */
export const networkRules: Rule = (context) => [
  ...apiFindings(context),
  ...gatewayFindings(context),
  ...helperFindings(context),
  ...presetFindings(context),
]

const manners = ({ environment, target }: CheckContext) => ({
  allowsPrivate: environment === 'dev',
  allowsCleartext: target === 'android',
})

function apiFindings(context: CheckContext): readonly Finding[] {
  const { api, preset } = context.brand.network
  const path = 'network.api'
  if (api === '') return [finding('api-missing', { path, found: `nothing, and the preset ${shown(preset)}` })]
  return urlFindings({ path, text: api, allowsQuery: false, ...manners(context) })
}

function gatewayFindings(context: CheckContext): readonly Finding[] {
  const { brand, merged, target } = context
  // An app that does not mine needs no gateway. iOS builds never mine.
  if (!brand.mining.enabled || target === 'ios') return []
  const { poa } = brand.network
  if (poa.length === 0) return [finding('gateway-missing', { path: 'network.poa', found: 'none' })]
  const isOwn = (merged.network as { readonly poa?: unknown } | undefined)?.poa !== undefined
  const each = poa.flatMap((text, index) => {
    const path = isOwn ? `network.poa[${index}]` : 'network.poa'
    return urlFindings({ path, text, scheme: 'wss', allowsQuery: false, ...manners(context) })
  })
  // As the app opens them: with and without a slash at its end, an address is the same gateway.
  const opened = poa.map((text) => (canParseUrl(text) ? new URL(text).href : text))
  const repeated = opened.findIndex((href, index) => opened.indexOf(href) !== index)
  if (repeated < 0) return each
  return [
    ...each,
    finding('duplicate-address', { path: `network.poa[${repeated}]`, found: shown(poa[repeated]) }),
  ]
}

function helperFindings(context: CheckContext): readonly Finding[] {
  const { explorer, faucet } = context.brand.network
  const addresses = [
    ['network.explorer', explorer],
    ['network.faucet', faucet],
  ] as const
  return addresses.flatMap(([path, text]) =>
    text === null ? [] : urlFindings({ path, text, ...manners(context) }),
  )
}

function presetFindings({ brand, environment }: CheckContext): readonly Finding[] {
  const { preset } = brand.network
  if (environment !== 'prod' || (preset !== 'testnet' && preset !== 'devnet')) return []
  return [finding('test-network-in-production', { path: 'network.preset', found: shown(preset) })]
}
