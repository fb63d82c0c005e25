import { amountText } from '@hailstone/mining-node/amounts'

type Token = { readonly symbol: string; readonly decimals: number } | undefined

/** Writes an amount in the language of the browser, cut after six digits, or with every digit. */
export function coinsText(units: bigint, token: Token, fractionMax?: number): string {
  if (token === undefined) return `${units} units`
  return `${amountText(units, { ...token, language: navigator.language, fractionMax })} ${token.symbol}`
}

const element = (id: string): HTMLElement | null => document.getElementById(id)

/** Shows the balance. Every digit is where it is pointed at; undefined is not known. */
export function showAmount(units: bigint | undefined, token: Token): void {
  const [number = '—', symbol = ''] = units === undefined ? [] : coinsText(units, token).split(' ')
  element('number')?.replaceChildren(number)
  element('number')?.style.setProperty('--letters', `${number.length}`)
  element('symbol')?.replaceChildren(symbol)
  const exact = units === undefined ? 'Not known yet' : coinsText(units, token, Number.POSITIVE_INFINITY)
  element('balance')?.setAttribute('title', exact)
}

/** Copies the balance with every digit, and resolves with it. */
export async function copyAmount(): Promise<string> {
  const exact = element('balance')?.title ?? ''
  await navigator.clipboard.writeText(exact)
  return exact
}
