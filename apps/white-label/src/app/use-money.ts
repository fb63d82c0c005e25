import { lastValue, useToken } from '@hailstone/react'
import { amountText, FRACTION_MAX } from '../text/amount-text.ts'
import { useApp, useTexts } from './app-context.ts'

/** Formats amounts of the mined token. A dash if the amount or the decimals are unknown. */
export type Money = {
  /** Null until the token is known. */
  readonly decimals: number | null
  readonly symbol: string
  readonly fractionMax: number
  /** Returns the exact amount with its symbol, for what is typed, signed or sent. */
  readonly format: (units: bigint | null | undefined) => string
  /** Returns the amount with its symbol, cut as in lists. */
  readonly short: (units: bigint | null | undefined) => string
}

const DASH = '—'

/** Returns the mined token with the brand's symbol and decimals; those of the chain where the brand names none. */
export function useMoney(): Money {
  const { brand } = useApp()
  const { language } = useTexts()
  const token = lastValue(useToken())
  const { display, ticker } = brand.token
  const decimals = brand.token.decimals ?? token?.decimals ?? null
  const symbol = display.symbol ?? token?.symbol ?? ticker ?? ''
  const fractionMax = display.fractionMax ?? FRACTION_MAX
  const textOf =
    (most: number) =>
    (units: bigint | null | undefined): string =>
      units === null || units === undefined || decimals === null
        ? DASH
        : `${amountText(units, { language, decimals, fractionMax: most })} ${symbol}`
  return {
    ...{ decimals, symbol, fractionMax },
    format: textOf(Number.POSITIVE_INFINITY),
    short: textOf(fractionMax),
  }
}
