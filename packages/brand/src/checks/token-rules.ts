import { type Finding, finding } from '../findings/finding.ts'
import type { Rule } from './check-context.ts'

/** Rules for the token that need no network. */
export const tokenRules: Rule = ({ brand, environment }) => {
  const { decimals, ticker, display } = brand.token
  const findings: Finding[] = []
  if (decimals !== null && display.fractionMax !== null && display.fractionMax > decimals) {
    const path = 'token.display.fractionMax'
    findings.push(
      finding('fraction-digits-exceed-decimals', {
        path,
        expected: `at most ${decimals}`,
        found: String(display.fractionMax),
      }),
    )
  }
  if (environment === 'prod' && (ticker === null || decimals === null)) {
    findings.push(finding('token-unstated', { path: 'token', found: 'a hash alone' }))
  }
  return findings
}
