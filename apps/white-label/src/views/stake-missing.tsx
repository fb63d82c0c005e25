import { type ReactNode, useEffect } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Meter } from '../parts/meter.tsx'
import { GetCoins } from './get-coins.tsx'

/** Status of an account that holds too little to mine: the missing amount, a bar, and the ways to get coins. */
export function StakeMissing({
  have,
  need,
  willBegin,
}: {
  readonly have: bigint
  readonly need: bigint
  /** True if mining begins by itself once the coins are here. */
  readonly willBegin: boolean
}): ReactNode {
  const { announce } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { decimals, symbol, short } = useMoney()
  const amount = (units: bigint): string => short(units).slice(0, -symbol.length - 1)
  const isReady = later !== null && decimals !== null
  const headline = isReady ? later('stake.toGo', { missing: amount(need - have), symbol }) : ''
  const hold = isReady ? later('stake.hold', { need: amount(need), symbol }) : ''
  useEffect(() => {
    if (headline !== '') announce(`${headline}. ${hold}`)
  }, [announce, headline, hold])
  return (
    <>
      <p className="status-line">{headline}</p>
      <p className="status-reason">{hold}</p>
      <div className="stake-missing">
        <Meter label={text('mine.stake.title')} have={have} need={need} />
        <p className="muted small">{isReady && `${amount(have)} / ${amount(need)} ${symbol}`}</p>
      </div>
      <p role="status" className="small">
        {willBegin && isReady ? later('stake.begins') : ''}
      </p>
      <GetCoins />
    </>
  )
}
