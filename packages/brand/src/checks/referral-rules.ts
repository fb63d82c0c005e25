import { looksLikeAddress, referralCodeFault } from '@hailstone/protocol'
import { type Finding, finding, shown } from '../findings/finding.ts'
import { valueAt } from '../layers/path.ts'
import type { CheckContext, Rule } from './check-context.ts'
import { urlFindings } from './url-rules.ts'

/** Rules for agents and invitations. */
export const referralRules: Rule = (context) => [
  ...agentFindings(context),
  ...inviteFindings(context),
  ...linkFindings(context),
]

const faults = {
  prefix: 'neither an address nor ref_…',
  length: 'a code of another length',
  format: 'a code with other characters than hex digits',
  address: 'a code that stands for no account: a digit is wrong or missing',
} as const

function agentFindings({ brand, merged }: CheckContext): readonly Finding[] {
  const text = valueAt(merged, ['referral', 'defaultAgent'])
  if (typeof text !== 'string') return []
  const path = 'referral.defaultAgent'
  if (!looksLikeAddress(text)) {
    const fault = referralCodeFault(text)
    if (fault !== null)
      return [finding('agent-malformed', { path, found: `${shown(text)}: ${faults[fault]}` })]
  }
  return brand.referral.userCanChange
    ? []
    : [finding('agent-locked', { path: 'referral.userCanChange', found: 'false' })]
}

function inviteFindings({ brand, target }: CheckContext): readonly Finding[] {
  const { enabled } = brand.referral
  const findings: Finding[] = []
  if (target === 'ios' && enabled)
    findings.push(finding('referral-on-ios', { path: 'referral.enabled', found: 'true' }))
  if (brand.features.invite && !enabled) {
    findings.push(finding('invite-without-referral', { path: 'features.invite', found: 'true' }))
  }
  if (brand.features.invite && enabled && brand.referral.linkBase === null && brand.app.homepage === null) {
    findings.push(finding('invite-link-missing', { path: 'referral.linkBase', found: 'nothing' }))
  }
  return findings
}

function linkFindings({ merged, environment }: CheckContext): readonly Finding[] {
  const text = valueAt(merged, ['referral', 'linkBase'])
  if (typeof text !== 'string') return []
  const path = 'referral.linkBase'
  const findings = urlFindings({ path, text, allowsPrivate: environment === 'dev', allowsQuery: false })
  if (findings.length > 0 || text.endsWith('/')) return findings
  return [finding('url-part-refused', { path, expected: 'a URL that ends in a slash', found: shown(text) })]
}
