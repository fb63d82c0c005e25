import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import { type Finding, finding } from '../findings/finding.ts'
import type { ChainFacts } from './token-findings.ts'

/** Checks on a test network that a new wallet gets the stake: nobody sells coins there. */
export async function stakeFindings({ brand, probe, token }: ChainFacts): Promise<readonly Finding[]> {
  const { faucet, api, preset } = brand.network
  const { claim, buy } = brand.links
  const isServedHere = faucet?.startsWith(api) === true
  if (!brand.mining.enabled || token?.isMineable !== true || !(isServedHere || preset === 'devnet')) return []
  if (claim !== null || (brand.features.buy && buy.length > 0) || (faucet !== null && !isServedHere))
    return []
  // The faucet of this machine alone is asked: each answer is a payment.
  if (isServedHere && !(canParseUrl(api) && isLoopbackHost(new URL(api).hostname))) return []
  const reason = isServedHere ? await probe.askFaucet({ tokenId: token.id }) : 'no faucet is named'
  if (reason === null) return []
  return [finding('stake-out-of-reach', { path: 'token.hash', found: `${token.symbol}: ${reason}` })]
}
