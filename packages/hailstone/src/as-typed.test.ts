import { parseTokenId } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { assertAsTyped } from './as-typed.ts'

const tokenId = parseTokenId('ab'.repeat(32))
const summary = { decimals: 2, symbol: 'CENT', tokenId }

it.each(['CENT', tokenId, tokenId.toUpperCase(), undefined])('M2: signs what was typed: %s', (token) => {
  expect(() => assertAsTyped(summary, { decimals: 2, token })).not.toThrow()
})

it('M2: signs nothing when another answer has another symbol, or other decimals, for the token', () => {
  expect(() => assertAsTyped(summary, { decimals: 2, token: 'COIN' })).toThrow(
    `named ${tokenId} as the token COIN, and says that its symbol is CENT when it was to be signed. Nothing was signed.`,
  )
  expect(() => assertAsTyped(summary, { decimals: 6, token: 'CENT' })).toThrow(
    'named 6 decimals for the token when the amount was read, and 2 when it was to be signed. Nothing was signed.',
  )
})
