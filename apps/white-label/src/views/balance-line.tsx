import { lastValue, useBalance } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { HeroAmount } from '../parts/hero-amount.tsx'
import { Ticking } from '../parts/ticking.tsx'
import { agoText } from '../text/time-text.ts'

/** The balance as the figure of a screen, with its age if it is stale; a dash if it could not be read. */
export function BalanceLine(): ReactNode {
  const { text } = useTexts()
  const balance = useBalance()
  return (
    <div className="hero balance">
      <p className="hero-label">{text('wallet.balance')}</p>
      <p className="balance-amount" data-status={balance.status}>
        <HeroAmount units={lastValue(balance)?.amount ?? null} />
      </p>
      <BalanceAge />
      {balance.status === 'failed' && <p className="muted small">{text('common.notKnown')}</p>}
    </div>
  )
}

/** The age of a balance that could not be refreshed. */
export function BalanceAge(): ReactNode {
  const { text, language } = useTexts()
  const balance = useBalance()
  if (balance.status !== 'stale') return null
  return (
    <span className="muted small balance-age">
      <Ticking>{(now) => text('common.asOf', { time: agoText(balance.readAtMs, now, language) })}</Ticking>
    </span>
  )
}
