import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

/** The token. Everything except the hash is on the chain and repeated here for comparison. */
export const token = z.strictObject({
  hash: needed(leaf.tokenId(), 'Identifier of the token on chain: 64 lower-case hex digits.'),
  ticker: optional(
    leaf.ticker(),
    'Its ticker, 1 to 6 capital letters. Must equal the chain: an error in prod, a warning elsewhere. Default: from the chain.',
  ),
  decimals: optional(
    leaf.whole(0, 10),
    'Its decimals, 0 to 10. Must equal the chain. Default: from the chain.',
  ),
  display: optional(
    z.strictObject({
      symbol: optional(leaf.text(12), 'Symbol after amounts. Default: the ticker.'),
      fractionMax: optional(
        leaf.whole(0, 10),
        'Digits after the point in lists and headings; details always show all. Default: the smaller of decimals and 6.',
      ),
    }),
    'Format of amounts.',
  ),
})

const networkPresets = ['mainnet', 'testnet', 'devnet', 'custom'] as const

export const network = z.strictObject({
  preset: optional(
    z.enum(networkPresets),
    'Network preset. `devnet` is the network that `hailstone-network` starts. In prod only mainnet and custom. Default: testnet.',
  ),
  api: optional(
    leaf.url(),
    'Base of the HTTP API, https, usually ending in /api/v1. Default: from the preset.',
  ),
  poa: optional(
    z.array(leaf.url()).min(1, 'gateway-missing').max(8, 'out-of-range'),
    'Gateways for mining, tried in this order. wss for web and pwa; ws only for android or this machine. Default: from the preset.',
  ),
  explorer: optional(leaf.url(), 'Block explorer, https. Default: none, no links to blocks.'),
  faucet: optional(
    leaf.url(),
    'Faucet for test coins, https. Default: from the preset, none on mainnet; that of an API on this machine.',
  ),
  nativeToken: optional(leaf.tokenId(), 'Identifier of the native coin. Default: from the preset.'),
})

export const referral = z.strictObject({
  enabled: optional(leaf.flag(), 'Referral rewards are part of the app. Default: true.'),
  defaultAgent: optional(
    z.string().max(100, 'text-too-long').nullable(),
    'Agent of users who come without an invite: an address or a code that begins with ref_. Shown to users before mining. Default: null, none.',
  ),
  userCanChange: optional(leaf.flag(), 'Users may enter another agent. Default: true.'),
  linkBase: optional(
    leaf.url(),
    'Base of invite links, https, ending in a slash. Default: /i/ where the app was opened; in packages, on the host of app.homepage.',
  ),
})
