import type { Failure, View } from './ask.ts'
import { ask } from './ask.ts'
import { make } from './make.ts'
import { sendTyped } from './pending-edits.ts'
import { inEnglish } from './verdicts.ts'
import { type WordKey, word } from './words.ts'

/** The payment that creates a token, as the command prepared it. */
type TokenPayment = {
  readonly to: string
  /** Whole number of units. */
  readonly amount: string
  readonly coins: string
  readonly symbol: string
  readonly data: string
  readonly lines: readonly string[]
}

const fields: Readonly<Record<string, readonly [label: WordKey, value: string]>> = {
  symbol: ['maker.symbol', ''],
  name: ['field.name', ''],
  decimals: ['maker.decimals', '10'],
  supply: ['maker.supply', '1000000'],
  maxSupply: ['maker.maxSupply', '10000000'],
  blockReward: ['maker.blockReward', '5'],
  minimumStake: ['maker.minimumStake', '10'],
}

/** Shows the payment to sign in another program. This page has no key. */
function paymentParts({ to, amount, coins, symbol, data, lines }: TokenPayment): readonly HTMLElement[] {
  const call = `await client.sendTransaction({ wallet, to: '${to}', amount: ${amount}n, contract: '${data}' })`
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['to', to],
    ['amount', `${coins} ${symbol} (${amount})`],
    ['data', data],
  ]
  return [
    make('p', { textContent: word('maker.sign') }),
    make('ul', inEnglish, ...lines.map((textContent) => make('li', { textContent }))),
    make(
      'dl',
      inEnglish,
      ...facts.flatMap(([name, value]) => [
        make('dt', { textContent: name }),
        make('dd', {}, make('code', { textContent: value })),
      ]),
    ),
    make('pre', inEnglish, make('code', { textContent: call })),
  ]
}

/** Creates the form that creates a token for a brand. `onCreated` is called when the settings name the new token. */
export function tokenMaker(brand: number, onCreated: (view: View, button: Element) => void): HTMLElement {
  const inputs = Object.entries(fields).map(([name, [, value]]) =>
    make('input', { name: `maker.${name}`, value, autocomplete: 'off', spellcheck: false, dir: 'ltr' }),
  )
  const labels = Object.values(fields).map(([label], at) => make('label', {}, word(label), inputs[at] ?? ''))
  const said = make('div', { className: 'made', role: 'status' })
  const button = make('button', { type: 'button', className: 'second', textContent: word('maker.button') })
  button.addEventListener('click', async () => {
    sendTyped()
    button.disabled = true
    said.replaceChildren('…')
    const wish = Object.fromEntries(Object.keys(fields).map((name, at) => [name, inputs[at]?.value ?? '']))
    const answer: View | Failure | { readonly payment: TokenPayment } = await ask('/token', {
      brand,
      ...wish,
    })
    button.disabled = false
    if ('error' in answer)
      return said.replaceChildren(
        make('p', answer.error === null ? {} : inEnglish, answer.error ?? word('unanswered')),
      )
    if ('payment' in answer) return said.replaceChildren(...paymentParts(answer.payment as TokenPayment))
    said.replaceChildren(word('maker.created'))
    onCreated(answer, button)
  })
  return make(
    'details',
    { className: 'maker' },
    make('summary', { textContent: word('maker.title') }),
    make('p', { textContent: word('maker.text') }),
    ...labels,
    button,
    said,
  )
}
