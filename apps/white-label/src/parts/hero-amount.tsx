import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { amountText, shortAmount } from '../text/amount-text.ts'
import { Skeleton } from './skeleton.tsx'

/** Width of the symbol and of the fraction beside a digit of the figure, as the style sheet draws them. */
const SYMBOL_PART = 0.42
const FRACTION_PART = 0.6
/** Letters above which the name of a token may break: no brand has a longer one, but a chain may. */
const LONG_SYMBOL = 12
/** Width of a digit, in em of the figure. */
const DIGIT_EM = 0.62

/**
 * The figure of a screen: shortened, never rounded up, with the exact amount below it where digits are missing. The
 * figure and its symbol stay on one line at every size.
 */
export function HeroAmount({
  units,
  sign = '',
  isExact = true,
}: {
  /** Undefined while it is being read, null if it is not known. */
  readonly units: bigint | null | undefined
  readonly sign?: '+' | '−' | '' | undefined
  /** False where the exact amount stands elsewhere on the same screen. */
  readonly isExact?: boolean | undefined
}): ReactNode {
  const { decimals, symbol, fractionMax } = useMoney()
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
  const { whole, fraction, isCut } = shortAmount(units, { language, decimals, fractionMax })
  const digits = sign.length + whole.length + fraction.length * FRACTION_PART
  const letters =
    Math.ceil((digits + (Math.min(symbol.length, LONG_SYMBOL) + 1) * SYMBOL_PART) * DIGIT_EM * 100) / 100
  const isBoth = isCut && isExact
  return (
    <span className="hero-amount" style={{ '--hero-letters': letters } as never}>
      <span className={isCut ? 'hero-figure' : 'hero-figure amount'} aria-hidden={isBoth}>
        <bdi>
          {sign}
          {whole}
          {fraction !== '' && <small>{fraction}</small>}
        </bdi>
        <span className={symbol.length > LONG_SYMBOL ? 'symbol symbol-long' : 'symbol'}>
          {'\u00a0'}
          {symbol}
        </span>
      </span>
      {isBoth && (
        <span className="hero-exact amount">
          <bdi>
            {sign}
            {amountText(units, { language, decimals })}
          </bdi>{' '}
          {symbol}
        </span>
      )}
    </span>
  )
}
