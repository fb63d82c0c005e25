import { lastValue, useBalance } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Amount } from '../parts/amount.tsx'
import { Ticking } from '../parts/ticking.tsx'
import { agoText } from '../text/time-text.ts'

/** The balance, with its age if it is stale; a dash if it was never read. */
export function BalanceLine(): ReactNode {
  const { text, language } = useTexts()
  const balance = useBalance()
  return (
    <div className="balance">
      <p className="balance-label">{text('wallet.balance')}</p>
      <p className="balance-amount" data-status={balance.status}>
        <Amount units={lastValue(balance)?.amount} isLarge />
      </p>
      {balance.status === 'stale' && (
        <p className="muted small">
          <Ticking>
            {(now) => text('common.asOf', { time: agoText(balance.readAtMs, now, language) })}
          </Ticking>
        </p>
      )}
      {balance.status === 'failed' && <p className="muted small">{text('common.notKnown')}</p>}
    </div>
  )
}
