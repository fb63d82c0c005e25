import { createToken, type TokenWish } from '@hailstone/brand/tools'
import type { BrandEditors } from './brand-editors.ts'

const DECIMALS = /^(?:\d|10)$/

/** Reads the token that a partner typed. `createToken` checks everything but the decimals. */
function wishOf(body: Readonly<Record<string, unknown>>): TokenWish {
  const text = (name: string): string => {
    const value = body[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const decimals = text('decimals')
  if (!DECIMALS.test(decimals)) throw new Error('Decimals are a number from 0 to 10.')
  return {
    symbol: text('symbol'),
    name: text('name'),
    decimals: Number(decimals),
    supply: text('supply'),
    maxSupply: text('maxSupply'),
    blockReward: text('blockReward'),
    minimumStake: text('minimumStake'),
  }
}

/**
 * Creates a token for a brand and writes its id into the settings, or returns the payment that would create it.
 *
 * @throws {NodeError} what is wrong with the token, and what the network does not answer
 * @throws {Error} if the brand has errors, or its network creates no token
 */
export async function tokenAnswer(
  editors: BrandEditors,
  index: number,
  body: Readonly<Record<string, unknown>>,
  common: () => object,
): Promise<object> {
  const editor = editors.editor(index)
  const brand = editor.withoutToken()
  if (brand === null) throw new Error('Fix the errors first: the network of the brand is not known.')
  const wish = wishOf(body)
  const creation = await createToken(brand, wish)
  if (creation.kind === 'payment') {
    const { amount, ...payment } = creation.payment
    return { payment: { ...payment, amount: String(amount) } }
  }
  const { symbol, decimals } = wish
  const made = { hash: creation.tokenId, ticker: symbol, decimals }
  for (const [name, value] of Object.entries(made)) editor.change({ path: `token.${name}`, value })
  return { ...editors.view(index), ...common() }
}
