import { usePayments } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Identicon } from '../parts/identicon.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { dateText } from '../text/time-text.ts'

const SHOWN = 5

/**
 * The last five recipients of confirmed payments of this account from this browser, to fill the form with. Addresses
 * that only sent something are not among them: anybody can send from one that looks like another.
 */
export function PaidBefore({ onChosen }: { readonly onChosen: (address: string) => void }): ReactNode {
  const { text, language } = useTexts()
  const payments = usePayments()
  const last = new Map<string, number>()
  for (const { to, state, createdAtMs } of [...payments].reverse()) {
    if (state.status === 'confirmed' && last.size < SHOWN && !last.has(to)) last.set(to, createdAtMs)
  }
  if (last.size === 0) return null
  const title = text('send.paidBefore')
  return (
    <section aria-label={title}>
      <h2 className="small">{title}</h2>
      <ul className="rows">
        {[...last].map(([address, atMs]) => (
          <li key={address} className="row">
            <button type="button" className="row-link" onClick={() => onChosen(address)}>
              <Identicon address={address} />
              <span className="row-main">
                <ShortHash hash={address} explorer={null} kind="account" />
                <span className="muted small">{dateText(atMs, language)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
