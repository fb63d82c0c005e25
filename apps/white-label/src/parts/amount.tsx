import { type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { amountParts } from '../text/amount-text.ts'
import { loaded, NothingInstead } from './loaded.tsx'

const ExactSheet = loaded(() => import('./exact-sheet.tsx'), 'ExactSheet', NothingInstead)

/** Button around an amount that is shown cut. A press opens a sheet with all digits, which can be copied. */
export function MoreDigits({
  exact,
  className,
  children,
}: {
  /** With its symbol. */
  readonly exact: string
  readonly className: string
  readonly children: ReactNode
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`${className} more-digits`}
        title={exact}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ExactSheet exact={exact} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Shows an amount, cut after the brand's number of digits; a press shows the others. A dash if it is unknown. */
export function Amount({
  units,
  sign = '',
  isPlain = false,
  isWhole = false,
}: {
  readonly units: bigint | null | undefined
  /** Placed before the digits in right-to-left languages, too. */
  readonly sign?: '+' | '−' | '' | undefined
  /** True inside of a link that leads to every digit, where nothing else can be pressed. */
  readonly isPlain?: boolean | undefined
  /** True shows every digit, as a review or a receipt does. */
  readonly isWhole?: boolean | undefined
}): ReactNode {
  const { decimals, symbol, fractionMax, format } = useMoney()
  const { language } = useTexts()
  if (units === null || units === undefined || decimals === null) return <span className="amount">—</span>
  const limit = isWhole ? Number.POSITIVE_INFINITY : fractionMax
  const { whole, fraction, isCut } = amountParts(units, { language, decimals, fractionMax: limit })
  const exact = sign + format(units)
  const shown = (
    <>
      <bdi style={{ '--letters': sign.length + whole.length + fraction.length } as never}>
        {sign}
        {whole}
        {fraction}
      </bdi>{' '}
      <span className="symbol" style={{ '--letters': symbol.length } as never}>
        {symbol}
      </span>
    </>
  )
  if (isCut && !isPlain)
    return (
      <MoreDigits exact={exact} className="amount">
        {shown}
      </MoreDigits>
    )
  return (
    <span className="amount" title={isCut ? exact : undefined}>
      {shown}
    </span>
  )
}
