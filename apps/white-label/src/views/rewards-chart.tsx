import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import { Amount } from '../parts/amount.tsx'
import { amountText } from '../text/amount-text.ts'
import { dayText, hourText, shortDayText } from '../text/time-text.ts'
import type { Period } from './reward-periods.ts'

const DIGITS = 3
/** Periods between two words below the bars. */
const LABELS = 4

/** Height of a bar relative to the highest. The only place where amounts become numbers, for drawing only. */
const partOf = (units: bigint, most: bigint): number => Number((units * 1_000n) / most) / 1_000

/** Rounds down to three significant digits, for the label of the highest bar. */
function rounded(units: bigint): bigint {
  const rest = 10n ** BigInt(Math.max(0, String(units).length - DIGITS))
  return units - (units % rest)
}

/**
 * Bars of hours or days. They follow the direction of the language, and are text for screen readers. The last one is
 * drawn open, for its hour or day is not over.
 */
export function RewardsChart({
  periods,
  isHours,
}: {
  readonly periods: readonly Period[]
  readonly isHours: boolean
}): ReactNode {
  const { text, language } = useTexts()
  const { decimals, symbol, fractionMax } = useMoney()
  let most = 1n
  for (const { units } of periods) if (units > most) most = units
  const [name, label] = isHours ? [hourText, hourText] : [dayText, shortDayText]
  const every = Math.ceil(periods.length / LABELS)
  const top = decimals === null ? '' : amountText(rounded(most), { language, decimals, fractionMax })
  const title = text(isHours ? 'rewards.chartHours' : 'rewards.chart', { symbol })
  return (
    <figure className="bars-figure">
      <figcaption className="muted small">
        <span>{title}</span>
        {decimals !== null && most > 1n && (
          <span className="amount" aria-hidden="true">
            <bdi style={{ '--letters': top.length } as never}>{top}</bdi>
          </span>
        )}
      </figcaption>
      <ol className="bars">
        {periods.map(({ startMs, units }, at) => (
          <li key={startMs} className="bar-place">
            <span
              className={at === periods.length - 1 ? 'bar bar-open' : 'bar'}
              style={{ '--part': partOf(units, most) } as never}
              data-empty={units === 0n}
            />
            <span className="visually-hidden">
              {name(startMs, language)} <Amount units={units} isPlain />
            </span>
          </li>
        ))}
      </ol>
      <p className="bar-labels muted" aria-hidden="true">
        {periods
          .filter((_, at) => (periods.length - 1 - at) % every === 0)
          .map(({ startMs }) => (
            <span key={startMs}>{label(startMs, language)}</span>
          ))}
      </p>
    </figure>
  )
}
