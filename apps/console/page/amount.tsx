import { amountText, parseAmount } from '@hailstone/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TokenName } from './ask.ts'

const LANGUAGE = 'en'
/** Digits after the point in tables and charts, which have many columns. */
const FRACTION_MAX = 2

/** Returns units as coins, cut after two digits. */
export const shortCoins = (units: bigint, { decimals }: Pick<TokenName, 'decimals'>): string =>
  amountText(units, { language: LANGUAGE, decimals, fractionMax: FRACTION_MAX })

/** Returns units as coins with every digit. */
export const exactCoins = (units: bigint, { decimals }: Pick<TokenName, 'decimals'>): string =>
  amountText(units, { language: LANGUAGE, decimals, fractionMax: Number.POSITIVE_INFINITY })

/** An amount; one that is shown cut shows every digit where it is pointed at, and is copied when it is pressed. */
export function Coins({
  units,
  token,
  symbol = '',
}: {
  readonly units: bigint
  readonly token: TokenName
  /** Written behind the amount, where the column does not name it. */
  readonly symbol?: string
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const short = shortCoins(units, token)
  const exact = exactCoins(units, token)
  const title = `${exact} ${token.symbol}`
  const unit = symbol === '' ? '' : ` ${symbol}`
  if (short === exact)
    return (
      <span class="amount" title={title}>
        {short}
        {unit}
      </span>
    )
  return (
    // A table has hundreds of them, each of which the keyboard would stop at: its exports have every digit.
    <button
      type="button"
      class="amount"
      tabIndex={-1}
      title={title}
      onClick={() => {
        setWhole(!isWhole)
        // Where a page may not write there, the digits are at least seen.
        void navigator.clipboard?.writeText(exact.replaceAll(',', '')).catch(() => undefined)
      }}
    >
      {isWhole ? exact : short}
      {unit}
    </button>
  )
}

/** Returns the units of a text of the API such as `1081157.25 HAIL`; null if it is another text. */
export function unitsIn(text: string, { symbol, decimals }: TokenName): bigint | null {
  const [coins = '', ...rest] = text.split(' ')
  if (rest.join(' ') !== symbol || !/^\d+(\.\d+)?$/.test(coins)) return null
  try {
    return parseAmount(coins, { decimals })
  } catch {
    // More than any account can have, or more digits than the token has.
    return null
  }
}
