import { type Finding, finding, shown } from '../findings/finding.ts'
import type { CheckContext, Rule } from './check-context.ts'
import { urlFindings } from './url-rules.ts'

/** Rules for quiet hours, the lock and updates. */
export const behaviourRules: Rule = (context) => [
  ...quietFindings(context),
  ...guardFindings(context),
  ...updateFindings(context),
]

const quietFindings = ({ brand }: CheckContext): readonly Finding[] =>
  (brand.mining.quietHours ?? []).flatMap(({ from, to }, index) =>
    from === to
      ? [finding('quiet-hours-empty', { path: `mining.quietHours[${index}]`, found: `${from} twice` })]
      : [],
  )

function guardFindings({ brand }: CheckContext): readonly Finding[] {
  if (brand.network.preset !== 'mainnet') return []
  const { lock, requireBackup } = brand.security
  return [
    ...(lock === 'optional' ? [finding('lock-weak', { path: 'security.lock', found: shown(lock) })] : []),
    ...(requireBackup
      ? []
      : [finding('backup-optional', { path: 'security.requireBackup', found: 'false' })]),
  ]
}

function updateFindings({ brand, environment }: CheckContext): readonly Finding[] {
  const { source, url } = brand.update
  const path = 'update.url'
  if (url !== null) return urlFindings({ path, text: url, allowsPrivate: environment === 'dev' })
  return source === 'url' ? [finding('update-url-missing', { path, found: 'nothing' })] : []
}
