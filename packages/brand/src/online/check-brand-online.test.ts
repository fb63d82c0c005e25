import type { Balance, TokenInfo } from '@hailstone/client'
import { type Address, apiError, type NetworkInfo, type TokenId, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { goodBrand, goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { printable } from '../findings/finding.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { BrandProbe, FeedAnswer } from './brand-probe.ts'
import { checkBrandOnline, isUnreachable } from './check-brand-online.ts'

const owner = `02${'5'.repeat(64)}` as Address
const agent = `03${'7'.repeat(64)}` as Address

function resolved(layer: object = {}, environment: 'dev' | 'prod' = 'dev'): ResolvedBrand {
  const { brand } = checkBrand({ source: { ...goodSource, config: goodBrand }, flags: layer, environment })
  if (brand === null) throw new Error('not resolved')
  return brand
}

const acme = {
  id: goodBrand.token.hash as TokenId,
  owner,
  symbol: 'ACME',
  decimals: 8,
  isMineable: true,
  totalSupply: 5n,
  maxSupply: 1000n,
  minimumStake: 10n,
  referrerStake: 100n,
  referralShareBps: 2000,
  feeValue: 1n,
} as unknown as TokenInfo

const nativeToken = { id: ZERO_TOKEN_ID, decimals: 10, feeValue: 1000n }
const info = { origin: { hash: 'ACMEGENESIS' }, nativeToken } as unknown as NetworkInfo

const holding =
  (amounts: Readonly<Record<string, bigint>>): BrandProbe['getBalance'] =>
  async ({ address, tokenId }) =>
    ({ amount: amounts[`${address.slice(0, 3)} ${tokenId.slice(0, 2)}`] ?? 0n }) as unknown as Balance

const feedAnswer = (change: Partial<FeedAnswer> = {}): FeedAnswer => ({
  status: 200,
  isRedirected: false,
  allowedOrigin: '*',
  text: '{"incidents":[]}',
  ...change,
})

/** Answers without any fault. */
const world: BrandProbe = {
  getNetworkInfo: async () => info,
  getToken: async () => acme,
  getBalance: holding({ '025 00': 1000n, '037 ab': 100n }),
  getReferrerStake: async () => 50n,
  askFaucet: async () => null,
  hail: async () => ({ kind: 'accepted' }),
  readFeed: async () => feedAnswer(),
  getStatus: async () => 200,
}

type Case = {
  readonly probe?: Partial<BrandProbe>
  readonly layer?: object
  readonly environment?: 'dev' | 'prod'
  readonly target?: 'web' | 'ios'
}

async function findings({ probe = {}, layer, environment, target = 'web' }: Case) {
  const brand = resolved(layer, environment)
  return checkBrandOnline({ brand, target, probe: { ...world, ...probe } })
}

const summary = async (given: Case): Promise<readonly string[]> =>
  (await findings(given)).map(({ severity, name, path }) => `${severity} ${name} ${path}`)

const withToken = (change: Partial<Record<keyof TokenInfo, unknown>>): Partial<BrandProbe> => ({
  getToken: async () => ({ ...acme, ...change }) as TokenInfo,
})

const failing = (error: Error): Partial<BrandProbe> => ({ getNetworkInfo: () => Promise.reject(error) })

describe('checkBrandOnline', () => {
  it('has nothing to say when brand and world agree', async () => {
    expect(await summary({ layer: { referral: { defaultAgent: agent } } })).toEqual([])
  })

  it('tells a token that is not there from one that is not mineable', async () => {
    const missing = await findings({ probe: { getToken: async () => undefined } })
    expect(missing[0]).toMatchObject({
      code: 'E102',
      path: 'token.hash',
      found: `no token ${goodBrand.token.hash}`,
    })
    const idle = await findings({ probe: withToken({ isMineable: false }) })
    expect(idle[0]).toMatchObject({ code: 'E104', path: 'token.hash', found: 'minable = 0 for ACME' })
  })

  it('weighs wrong names of the token by environment', async () => {
    const probe = withToken({ symbol: 'ACM', decimals: 6 })
    expect(await summary({ probe })).toEqual([
      'warning ticker-differs token.ticker',
      'warning decimals-differ token.decimals',
    ])
    expect(await summary({ probe, environment: 'prod' })).toEqual([
      'error ticker-differs token.ticker',
      'error decimals-differ token.decimals',
    ])
  })

  it('sees an exhausted supply and a missing minimum stake', async () => {
    expect(await summary({ probe: withToken({ maxSupply: 5n, minimumStake: null }) })).toEqual([
      'warning token-supply-exhausted token.hash',
      'warning minimum-stake-missing token.hash',
    ])
  })

  it('sees an owner who cannot pay for the transfers of users', async () => {
    const [poor] = await findings({ probe: { getBalance: holding({ '025 00': 999n }) } })
    expect(poor).toMatchObject({ code: 'E108', found: '0.0000000999' })
  })

  it('sees a token of a test network whose stake a new wallet gets nowhere', async () => {
    const probe = { askFaucet: async () => 'the faucet has none of it' }
    const api = 'http://127.0.0.1:5000/api/v1'
    const layer = { network: { preset: 'custom', api, poa: ['ws://127.0.0.1:5001'] }, links: { buy: [] } }
    const [found] = await findings({ layer, probe })
    expect(found).toMatchObject({
      code: 'E113',
      severity: 'warning',
      path: 'token.hash',
      found: 'ACME: the faucet has none of it',
    })
    expect(await summary({ layer })).toEqual([])
    expect(await summary({ layer, probe, target: 'ios' })).toEqual([])
    const claimed = { ...layer, links: { buy: [], claim: 'https://acme.example/first' } }
    expect(await summary({ layer: claimed, probe })).toEqual([])
    const elsewhere = {
      ...layer,
      network: { ...layer.network, preset: 'devnet', api: 'http://192.168.1.5/api/v1' },
    }
    expect((await findings({ layer: elsewhere }))[0]?.found).toBe('ACME: no faucet is named')
    // A public network has shops; the faucet of its coin is on a host of its own.
    expect(await summary({ probe })).toEqual([])
  })

  it('sees an agent below the stake of the token, and says how much is missing', async () => {
    const layer = { referral: { defaultAgent: agent } }
    const [below] = await findings({
      layer,
      probe: { getBalance: holding({ '025 00': 1000n, '037 ab': 99n }) },
    })
    expect(below).toMatchObject({ code: 'E302', severity: 'warning', expected: 'at least 0.000001 ACME' })
  })

  it('asks the network, not the token, for the stake of agents of the native coin', async () => {
    const layer = { token: { hash: ZERO_TOKEN_ID }, referral: { defaultAgent: agent } }
    const probe = { ...withToken({ id: ZERO_TOKEN_ID }), getBalance: holding({ '037 00': 49n }) }
    expect(await summary({ layer, probe })).toEqual(['warning agent-below-stake referral.defaultAgent'])
  })

  it('says when agent and owner are one, and when referral rewards are nought', async () => {
    const layer = { referral: { defaultAgent: owner } }
    const probe = {
      ...withToken({ referralShareBps: 0 }),
      getBalance: holding({ '025 00': 1000n, '025 ab': 100n }),
    }
    expect(await summary({ layer, probe })).toEqual([
      'warning referral-share-zero referral.enabled',
      'warning agent-is-owner referral.defaultAgent',
    ])
  })

  it('sees that the API is another network than the preset', async () => {
    const layer = { network: { preset: 'mainnet' } }
    expect(await summary({ layer })).toEqual(['error network-differs network.api'])
  })

  it('sees another native token', async () => {
    const layer = { network: { nativeToken: 'ff'.repeat(32) } }
    const [other] = await findings({ layer })
    expect(other).toMatchObject({ code: 'E219', expected: ZERO_TOKEN_ID })
  })

  it('sees more digits than the token has decimals', async () => {
    const token = { hash: goodBrand.token.hash, display: { fractionMax: 9 } }
    const brand = {
      ...resolved(),
      token: { ...token, ticker: null, decimals: null, display: { symbol: null, fractionMax: 9 } },
    }
    const found = await checkBrandOnline({ brand, target: 'web', probe: world })
    expect(found.map(({ name }) => name)).toEqual(['fraction-digits-exceed-decimals'])
  })

  it('tells a broken line from a wrong address', async () => {
    const lines = [
      apiError('REQUEST_FAILED', { path: '/network_info', reason: 'ECONNREFUSED' }),
      apiError('REQUEST_TIMEOUT', { path: '/network_info', timeoutMs: 1 }),
      apiError('HTTP_STATUS', { path: '/network_info', status: 503, message: null }),
    ]
    for (const line of lines) {
      const found = await findings({ probe: failing(line) })
      expect(found.map(({ name }) => name)).toEqual(['network-unreachable'])
      expect(found.every(isUnreachable)).toBe(true)
    }
    const wrong = apiError('RESPONSE_INVALID', { path: '/network_info', reason: 'it is a page' })
    expect(await summary({ probe: failing(wrong) })).toEqual(['error network-answer-invalid network.api'])
  })

  it('goes on without /network_info, which old servers do not have', async () => {
    const old = apiError('HTTP_STATUS', { path: '/network_info', status: 404, message: null })
    expect(await summary({ probe: failing(old) })).toEqual(['warning network-answer-invalid network.api'])
  })

  it('throws what is not a failure of the network', async () => {
    await expect(findings({ probe: failing(new RangeError('ours')) })).rejects.toThrow('ours')
  })

  it('tells a gateway that refuses from one that is not there', async () => {
    const refused = async () => ({ kind: 'refused', reason: 'ERR_WRONG_PROTOCOL_VERSION' }) as const
    expect(await summary({ probe: { hail: refused } })).toEqual(['error gateway-refused network.poa[0]'])
    const away = async () => ({ kind: 'unreachable', reason: 'no connection' }) as const
    expect(await summary({ probe: { hail: away } })).toEqual(['error gateway-unreachable network.poa[0]'])
    const layer = { referral: { enabled: false } }
    expect(await summary({ probe: { hail: away }, target: 'ios', layer })).toEqual([])
  })

  it('warns of every dead link', async () => {
    const getStatus = async (url: string) =>
      url.endsWith('terms') ? 404 : url.endsWith('privacy') ? null : 200
    expect(await summary({ probe: { getStatus } })).toEqual([
      'warning link-dead links.terms',
      'warning link-dead links.privacy',
    ])
  })

  it('warns of every dead link of a screen, with its line', async () => {
    const text = '# News\n\n[a](https://acme.example/a)\n\n[b](https://acme.example/b)'
    const files = new Map([['screens/news.en.md', new TextEncoder().encode(text)]])
    const getStatus = async (url: string) => (url.endsWith('/b') ? 404 : 200)
    const found = await checkBrandOnline({
      brand: resolved(),
      target: 'web',
      probe: { ...world, getStatus },
      files,
    })
    expect(found.map(({ name, path }) => `${name} ${path}`)).toEqual(['link-dead screens/news.en.md:5'])
  })

  const feed = { links: { statusFeed: 'https://status.acme.example/summary.json' } }
  const ofFeed = async (change: Partial<FeedAnswer>, target: 'web' | 'ios' = 'web') => {
    const readFeed = async () => feedAnswer(change)
    const found = await findings({ layer: feed, probe: { readFeed }, target })
    return found.filter(({ path }) => path === 'links.statusFeed')
  }
  const entry = { id: 'a', title: 'Slow', impact: 'minor' }
  const withEntry = (change: object): Partial<FeedAnswer> => ({
    text: JSON.stringify({ incidents: [entry, { ...entry, ...change }] }),
  })

  it.each<[string, Partial<FeedAnswer>]>([
    ['no answer', { status: null, text: null }],
    ['status 500', { status: 500 }],
  ])('calls a feed with %s dead', async (found, change) => {
    expect(await ofFeed(change)).toMatchObject([
      { name: 'link-dead', found: `${feed.links.statusFeed}: ${found}` },
    ])
  })

  it.each<[string, Partial<FeedAnswer>]>([
    ['no Access-Control-Allow-Origin', { allowedOrigin: null }],
    ['a redirection', { status: 302, isRedirected: true, text: '' }],
    [
      'Access-Control-Allow-Origin: https://other.example, asked from https://acme.example',
      { allowedOrigin: 'https://other.example' },
    ],
  ])('says that pages cannot read a feed: %s', async (found, change) => {
    expect(await ofFeed(change)).toMatchObject([
      { name: 'feed-closed-to-pages', severity: 'warning', found: `${feed.links.statusFeed}: ${found}` },
    ])
  })

  it('takes a feed that names the origin of the app, which in packages is another', async () => {
    expect(await ofFeed({ allowedOrigin: 'https://acme.example' })).toEqual([])
    expect(await ofFeed({ allowedOrigin: 'https://acme.example' }, 'ios')).toMatchObject([
      { name: 'feed-closed-to-pages' },
    ])
  })

  it.each<[string, Partial<FeedAnswer>]>([
    ['no JSON: it begins with "<!doctype html>"', { text: '<!doctype html>' }],
    ['no list "incidents" at the top', { text: '{"status":"ok"}' }],
    ['incidents[1] has no id of 1 to 100 characters', withEntry({ id: 7 })],
    ['incidents[1] has no title', withEntry({ title: ' ' })],
    [
      'incidents[1] has "huge" as impact; known are none, maintenance, minor, major and critical',
      withEntry({ impact: 'huge' }),
    ],
    ['incidents[0] is not an object', { text: '{"incidents":["down"]}' }],
    ['more than 50000 bytes, or not UTF-8', { text: null }],
  ])('says what is wrong with the form of a feed: %s', async (fault, change) => {
    const [one, ...more] = await ofFeed(change)
    expect([one?.name, one?.found, more]).toEqual([
      'feed-malformed',
      printable(`${feed.links.statusFeed}: ${fault}`),
      [],
    ])
  })
})
