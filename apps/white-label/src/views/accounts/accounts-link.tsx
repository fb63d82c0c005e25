import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { Icon } from '../../parts/icon.tsx'

/** Row that leads to the accounts. */
export function AccountsLink(): ReactNode {
  const words = useLaterTexts()
  if (words === null) return null
  return (
    <li>
      <Link href="/more/accounts" className="link-row">
        <span>{words('accounts.title')}</span>
        <Icon name="next" />
      </Link>
    </li>
  )
}
