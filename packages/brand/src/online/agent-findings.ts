import { formatAmount } from '@hailstone/protocol'
import { type Finding, finding } from '../findings/finding.ts'
import type { ChainFacts } from './token-findings.ts'

/** Checks the token's referral rewards and the stake of the default agent. */
export async function agentFindings(facts: ChainFacts): Promise<readonly Finding[]> {
  const { brand, token } = facts
  if (!brand.referral.enabled || token === undefined) return []
  const share =
    token.referralShareBps === 0
      ? [finding('referral-share-zero', { path: 'referral.enabled', found: 'ref_share = 0 on chain' })]
      : []
  return [...share, ...(await defaultAgentFindings(facts, token))]
}

async function defaultAgentFindings(
  { brand, probe, nativeTokenId }: ChainFacts,
  token: NonNullable<ChainFacts['token']>,
): Promise<readonly Finding[]> {
  const address = brand.referral.defaultAgent
  if (address === null) return []
  const path = 'referral.defaultAgent'
  const owner =
    address === token.owner ? [finding('agent-is-owner', { path, found: 'the owner of the token' })] : []
  const stake = token.id === nativeTokenId ? await probe.getReferrerStake() : token.referrerStake
  if (stake === undefined || stake === null) return owner
  const { amount } = await probe.getBalance({ address, tokenId: token.id })
  if (amount >= stake) return owner
  const show = (units: bigint): string =>
    `${formatAmount(units, { decimals: token.decimals })} ${token.symbol}`
  return [
    ...owner,
    finding('agent-below-stake', { path, expected: `at least ${show(stake)}`, found: show(amount) }),
  ]
}
