import type { TokenInfo } from '@hailstone/client'
import { formatAmount, type NetworkInfo, type TokenId } from '@hailstone/protocol'
import { type Finding, finding, shown } from '../findings/finding.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { BrandProbe } from './brand-probe.ts'

/** Data of the chain for the rules of token and agent. */
export type ChainFacts = {
  readonly brand: ResolvedBrand
  readonly probe: BrandProbe
  readonly token: TokenInfo | undefined
  readonly nativeTokenId: TokenId | null
  /** Null on servers without `/network_info`. */
  readonly info: NetworkInfo | null
}

/** Checks the token: exists, mineable, as the brand describes it. */
export async function tokenFindings(facts: ChainFacts): Promise<readonly Finding[]> {
  const { brand, token } = facts
  const path = 'token.hash'
  if (token === undefined) {
    return [finding('token-not-found', { path, found: `no token ${brand.token.hash}`, isPublic: true })]
  }
  return [
    ...miningFindings(token, path),
    ...nameFindings(facts, token),
    ...(await ownerFindings(facts, token)),
  ]
}

function miningFindings(token: TokenInfo, path: string): readonly Finding[] {
  if (!token.isMineable)
    return [finding('token-not-mineable', { path, found: `minable = 0 for ${token.symbol}` })]
  const findings: Finding[] = []
  if (token.maxSupply !== null && token.totalSupply >= token.maxSupply) {
    findings.push(finding('token-supply-exhausted', { path, found: 'the whole supply is issued' }))
  }
  if (token.minimumStake === null) findings.push(finding('minimum-stake-missing', { path, found: 'none' }))
  return findings
}

/** A difference is an error in prod and a warning elsewhere. */
function nameFindings({ brand }: ChainFacts, token: TokenInfo): readonly Finding[] {
  const severity = brand.environment === 'prod' ? 'error' : 'warning'
  const { ticker, decimals } = brand.token
  const findings: Finding[] = []
  if (ticker !== null && ticker !== token.symbol) {
    const facts = {
      path: 'token.ticker',
      expected: shown(token.symbol),
      found: shown(ticker),
      severity,
    } as const
    findings.push(finding('ticker-differs', facts))
  }
  if (decimals !== null && decimals !== token.decimals) {
    const facts = {
      path: 'token.decimals',
      expected: String(token.decimals),
      found: String(decimals),
      severity,
    } as const
    findings.push(finding('decimals-differ', facts))
  }
  const fraction = brand.token.display.fractionMax
  if (decimals === null && fraction !== null && fraction > token.decimals) {
    const facts = {
      path: 'token.display.fractionMax',
      expected: `at most ${token.decimals}`,
      found: String(fraction),
    }
    findings.push(finding('fraction-digits-exceed-decimals', facts))
  }
  return findings
}

/** Transfers of a custom token cost its owner native coins; without any left, transfers of users are rejected. */
async function ownerFindings(
  { probe, nativeTokenId, info }: ChainFacts,
  token: TokenInfo,
): Promise<readonly Finding[]> {
  if (nativeTokenId === null || token.id === nativeTokenId) return []
  const native = info?.nativeToken
  const balance = await probe.getBalance({ address: token.owner, tokenId: nativeTokenId })
  const fee = native?.feeValue ?? 1n
  if (balance.amount >= fee) return []
  const decimals = native?.decimals ?? 10
  const expected = `at least ${formatAmount(fee, { decimals })} of the native coin with the owner`
  return [
    finding('owner-cannot-pay-fees', {
      path: 'token.hash',
      expected,
      found: formatAmount(balance.amount, { decimals }),
    }),
  ]
}
