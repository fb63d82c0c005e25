import { type ReactNode, useSyncExternalStore } from 'react'
import { useApp, useOnline, usePreferences, useTexts } from '../app/app-context.ts'
import { centsOf, type DollarPrice, openDollarPrice } from '../app/dollar-price.ts'
import type { SeenSource } from '../app/seen-source.ts'
import { useMoney } from '../app/use-money.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { dollarText } from '../text/dollar-text.ts'
import { hourText } from '../text/time-text.ts'

let opened: SeenSource<DollarPrice | null> | null = null

function usePrice(): DollarPrice | null {
  const { brand, host } = useApp()
  opened ??= openDollarPrice(host.client, brand.token.hash as Parameters<typeof openDollarPrice>[1])
  const { subscribe, snapshot } = opened
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}

/** The worth of an amount of the mined token, where the brand shows it and the person did not switch it off. */
export function Worth({
  units,
  tag = 'p',
}: {
  readonly units: bigint | null | undefined
  readonly tag?: 'p' | 'dd'
}): ReactNode {
  const { brand } = useApp()
  const { worth = true } = usePreferences()
  const isOnline = useOnline()
  if (!brand.features.fiat || !worth || !isOnline || units === null || units === undefined) return null
  return <WorthLine units={units} tag={tag} />
}

function WorthLine({ units, tag: Tag }: { readonly units: bigint; readonly tag: 'p' | 'dd' }): ReactNode {
  const price = usePrice()
  const text = useLaterTexts()
  const { language } = useTexts()
  const { decimals } = useMoney()
  if (price === null || text === null || decimals === null) return null
  const cents = centsOf(units, price, decimals)
  const isTiny = cents === 0n && units > 0n
  const amount = isTiny
    ? text('worth.below', { amount: dollarText(1n, language) })
    : dollarText(cents, language)
  const time = hourText(price.readAtMs, language)
  return (
    <Tag className="muted small worth">
      {text(price.source === 'exchange' ? 'worth.exchange' : 'worth.service', { amount, time })}
    </Tag>
  )
}
