import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { amountPieces } from '../text/amount-text.ts'

/** Shows the exact amount; digits beyond the brand's limit are smaller. A dash if it is unknown. */
export function Amount({
  units,
  sign = '',
}: {
  readonly units: bigint | null | undefined
  /** Placed before the digits in right-to-left languages, too. */
  readonly sign?: '+' | '−' | '' | undefined
}): ReactNode {
  const { decimals, symbol, fractionMax } = useMoney()
  const { language } = useTexts()
  if (units === null || units === undefined || decimals === null) return <span className="amount">—</span>
  const { main, rest } = amountPieces(units, { language, decimals, fractionMax })
  return (
    <span className="amount">
      <bdi>
        {sign}
        {main}
        {rest !== '' && <small>{rest}</small>}
      </bdi>{' '}
      <span className="symbol">{symbol}</span>
    </span>
  )
}
