import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { amountParts } from '../text/amount-text.ts'
import { MoreDigits } from './amount.tsx'
import { Skeleton } from './skeleton.tsx'

/** Width of the symbol and of the fraction beside a digit of the figure, as the style sheet draws them. */
const SYMBOL_PART = 0.42
const FRACTION_PART = 0.6
/** Letters above which the name of a token may break: no brand has a longer one, but a chain may. */
const LONG_SYMBOL = 12
/** Width of a digit, in em of the figure. */
const DIGIT_EM = 0.7

/** The figure of a screen. Its number stays on one line at every size, and so does its symbol. */
export function HeroAmount({
  units,
  sign = '',
  isWhole = false,
}: {
  /** Undefined while it is being read, null if it is not known. */
  readonly units: bigint | null | undefined
  readonly sign?: '+' | '−' | '' | undefined
  /** True shows every digit in one size, as a receipt does. By default the amount is cut, and a press shows the others. */
  readonly isWhole?: boolean | undefined
}): ReactNode {
  const { decimals, symbol, fractionMax, format } = useMoney()
  const { language } = useTexts()
  if (units === undefined || (units !== null && decimals === null)) {
    return (
      <span className="hero-amount" style={{ '--hero-letters': 5 } as never}>
        <span className="hero-figure">
          <Skeleton />
        </span>
      </span>
    )
  }
  if (units === null || decimals === null) {
    return (
      <span className="hero-amount amount" style={{ '--hero-letters': 2 } as never}>
        <span className="hero-figure">—</span>
      </span>
    )
  }
  const limit = isWhole ? Number.POSITIVE_INFINITY : fractionMax
  const { whole, fraction, isCut } = amountParts(units, { language, decimals, fractionMax: limit })
  const digits = sign.length + whole.length + fraction.length * (isWhole ? 1 : FRACTION_PART)
  const letters =
    Math.ceil((digits + (Math.min(symbol.length, LONG_SYMBOL) + 1) * SYMBOL_PART) * DIGIT_EM * 100) / 100
  const shown = (
    <>
      <bdi>
        {sign}
        {whole}
        {isWhole || fraction === '' ? fraction : <small>{fraction}</small>}
      </bdi>{' '}
      <span className={symbol.length > LONG_SYMBOL ? 'symbol symbol-long' : 'symbol'}>{symbol}</span>
    </>
  )
  const className = isWhole ? 'hero-figure' : 'hero-figure amount'
  return (
    <span className="hero-amount" style={{ '--hero-letters': letters } as never}>
      {isCut ? (
        <MoreDigits exact={sign + format(units)} className={className}>
          {shown}
        </MoreDigits>
      ) : (
        <span className={className}>{shown}</span>
      )}
    </span>
  )
}
