import { lastValue, useToken } from '@hailstone/react'
import { amountText } from '../text/amount-text.ts'
import { useApp, useTexts } from './app-context.ts'

/** Formats amounts of the mined token. */
export type Money = {
  /** Null until the token is known. */
  readonly decimals: number | null
  readonly symbol: string
  readonly fractionMax: number
  /** Returns the exact amount with its symbol; a dash if the amount or the decimals are unknown. */
  readonly format: (units: bigint | null | undefined) => string
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
  const fractionMax = display.fractionMax ?? Math.min(decimals ?? 4, 4)
  const format = (units: bigint | null | undefined): string =>
    units === null || units === undefined || decimals === null
      ? DASH
      : `${amountText(units, { language, decimals })} ${symbol}`
  return { decimals, symbol, fractionMax, format }
}
