import { networks } from '@hailstone/client'
import { isNodeError, type NetworkInfo, parseTokenId, type TokenId } from '@hailstone/protocol'
import type { BrandFiles, Target } from '../checks/check-context.ts'
import { linksOf } from '../checks/link-rules.ts'
import { type Finding, finding, shown } from '../findings/finding.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { readScreenText } from '../screens/read-screen-text.ts'
import { screenFiles } from '../screens/screen-files.ts'
import { agentFindings } from './agent-findings.ts'
import type { BrandProbe } from './brand-probe.ts'
import { feedFindings } from './feed-findings.ts'
import { stakeFindings } from './stake-findings.ts'
import { tokenFindings } from './token-findings.ts'

export type CheckBrandOnlineParameters = {
  /** A brand without offline errors. */
  readonly brand: ResolvedBrand
  readonly target: Target
  readonly probe: BrandProbe
  /** Files of the brand, for the links of its screens. @default none */
  readonly files?: BrandFiles | undefined
}

/**
 * Compares a brand with its network: token, owner, agent, gateways, links and feed. Unreachable hosts have findings of
 * their own kind, so that a failed connection is not mistaken for a wrong brand.
 */
export async function checkBrandOnline(parameters: CheckBrandOnlineParameters): Promise<readonly Finding[]> {
  const chain = await chainFindings(parameters)
  const { brand, probe, target } = parameters
  const isPackage = target === 'android' || target === 'ios'
  const [gateways, links, feed] = await Promise.all([
    gatewayFindings(parameters),
    deadLinks(parameters),
    feedFindings(brand, { probe, isPackage }),
  ])
  return [...chain, ...gateways, ...links, ...feed]
}

/** True if the finding says that a host was unreachable, not that the brand is wrong. */
export const isUnreachable = ({ name }: Finding): boolean =>
  name === 'network-unreachable' || name === 'gateway-unreachable' || name === 'deployment-unreachable'

async function chainFindings({
  brand,
  probe,
  target,
}: CheckBrandOnlineParameters): Promise<readonly Finding[]> {
  try {
    const info = await networkInfo(probe)
    const network = info === null ? [missingInfo] : networkFindings(brand, info)
    const token = await probe.getToken({ tokenId: parseTokenId(brand.token.hash) })
    const nativeTokenId = nativeTokenOf(brand, info)
    const parts = { brand, probe, token, nativeTokenId, info }
    const stake = target === 'ios' ? [] : await stakeFindings(parts)
    return [...network, ...(await tokenFindings(parts)), ...stake, ...(await agentFindings(parts))]
  } catch (error) {
    return [failure(brand, error)]
  }
}

/** Null on old servers without this endpoint. Other failures are thrown. */
async function networkInfo(probe: BrandProbe): Promise<NetworkInfo | null> {
  try {
    return await probe.getNetworkInfo()
  } catch (error) {
    if (isNodeError(error, 'HTTP_STATUS') && error.facts.status === 404) return null
    throw error
  }
}

const missingInfo = finding('network-answer-invalid', {
  path: 'network.api',
  expected: 'an answer to /network_info',
  found: 'status 404: an old server, or another base address',
  severity: 'warning',
})

const nativeTokenOf = ({ network }: ResolvedBrand, info: NetworkInfo | null): TokenId | null =>
  info?.nativeToken?.id ?? (network.nativeToken === null ? null : parseTokenId(network.nativeToken))

function networkFindings({ network }: ResolvedBrand, info: NetworkInfo): readonly Finding[] {
  const findings: Finding[] = []
  const { preset } = network
  const wanted = preset === 'mainnet' ? networks.pulse : preset === 'testnet' ? networks.bit : null
  const { hash } = info.origin
  if (wanted?.originHash !== undefined && hash !== wanted.originHash) {
    findings.push(
      finding('network-differs', {
        path: 'network.api',
        expected: `a chain that begins with ${wanted.originHash}`,
        found: shown(hash),
      }),
    )
  }
  const native = info.nativeToken?.id
  if (native !== undefined && network.nativeToken !== null && native !== network.nativeToken) {
    const facts = {
      path: 'network.nativeToken',
      expected: native,
      found: network.nativeToken,
      isPublic: true,
    }
    findings.push(finding('native-token-differs', facts))
  }
  return findings
}

const LOCAL_FIX =
  'Start it with `hailstone-network` (in a clone of Hailstone `npm run network`), or name the addresses that it printed: --api URL --gateway URL.'

/** Returns the fix for a local network that does not answer at its addresses; undefined for other networks. */
const localFix = ({ network }: ResolvedBrand): string | undefined =>
  network.preset === 'devnet' ? LOCAL_FIX : undefined

function failure(brand: ResolvedBrand, error: unknown): Finding {
  const path = 'network.api'
  const fix = localFix(brand)
  if (isNodeError(error, 'REQUEST_FAILED') || isNodeError(error, 'REQUEST_TIMEOUT')) {
    return finding('network-unreachable', { path, found: error.message, fix })
  }
  if (isNodeError(error, 'HTTP_STATUS') && error.facts.status >= 500) {
    return finding('network-unreachable', { path, found: error.message, fix })
  }
  if (isNodeError(error)) return finding('network-answer-invalid', { path, found: error.message })
  throw error
}

async function gatewayFindings({
  brand,
  target,
  probe,
}: CheckBrandOnlineParameters): Promise<readonly Finding[]> {
  if (!brand.mining.enabled || target === 'ios') return []
  const tokenId = parseTokenId(brand.token.hash)
  const each = brand.network.poa.map(async (url, index): Promise<readonly Finding[]> => {
    const outcome = await probe.hail({ url, tokenId })
    if (outcome.kind === 'accepted') return []
    const name = outcome.kind === 'refused' ? 'gateway-refused' : 'gateway-unreachable'
    const fix = name === 'gateway-unreachable' ? localFix(brand) : undefined
    return [finding(name, { path: `network.poa[${index}]`, found: `${url}: ${outcome.reason}`, fix })]
  })
  return (await Promise.all(each)).flat()
}

async function deadLinks({
  brand,
  probe,
  files = new Map(),
}: CheckBrandOnlineParameters): Promise<readonly Finding[]> {
  const { homepage } = brand.app
  const pages = linksOf(brand).filter(({ path }) => path !== 'links.statusFeed')
  const all = [
    ...(homepage === null ? [] : [{ path: 'app.homepage', text: homepage }]),
    ...pages,
    ...screenLinks(files),
  ]
  const each = all.map(async ({ path, text }): Promise<readonly Finding[]> => {
    const status = await probe.getStatus(text)
    if (status === 200) return []
    return [
      finding('link-dead', { path, found: `${text}: ${status === null ? 'no answer' : `status ${status}`}` }),
    ]
  })
  return (await Promise.all(each)).flat()
}

/** Returns the links of all screens with their lines. */
const screenLinks = (files: BrandFiles): readonly { readonly path: string; readonly text: string }[] =>
  screenFiles(files).flatMap(({ path }) =>
    readScreenText(new TextDecoder().decode(files.get(path)))
      .faults.filter(({ kind }) => kind === 'link')
      .map(({ line, found }) => ({ path: `${path}:${line}`, text: found })),
  )
