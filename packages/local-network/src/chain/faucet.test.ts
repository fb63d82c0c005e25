import { createGenesis, createLedgerState } from '@hailstone/ledger'
import {
  addressOf,
  parsePrivateKey,
  sha256Hex,
  type Token,
  type TokenId,
  toAmount,
} from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { createFaucet } from './faucet.ts'
import { createMempool } from './mempool.ts'

const { accounts, tokens, content } = createGenesis({ seed: 'faucet', time: 0 })
const someone = addressOf(parsePrivateKey(sha256Hex('someone')))
const other = addressOf(parsePrivateKey(sha256Hex('other')))

type Content = typeof content

function setUp(changed: (content: Content) => Content = (same) => same) {
  const clock = manualClock()
  const mempool = createMempool(clock)
  const ledger = createLedgerState(changed(content))
  const parts = {
    accounts,
    nativeToken: tokens.native,
    balances: { whenHeld: () => true },
    random: Math.random,
  }
  return { clock, mempool, faucet: createFaucet({ ...parts, ledger, mempool, clock }) }
}

const holding = (address: string, tokenId: TokenId, units: bigint) => (before: Content) => ({
  ...before,
  balances: [
    ...before.balances.filter((row) => row.account !== address || row.tokenId !== tokenId),
    { account: address as typeof someone, tokenId, amount: toAmount(units) },
  ],
})

test('sends 25.1 coins gross, of which 25 arrive', async () => {
  const { mempool, faucet } = setUp()
  expect(await faucet({ address: someone })).toBe('sent')
  expect(mempool.entries()).toMatchObject([
    { transaction: { to: someone, from: accounts.faucet.address, amount: 251_000_000_000n, data: '' } },
  ])
})

test('sends an agent the least balance of an agent', async () => {
  const { mempool, faucet } = setUp()
  expect(await faucet({ address: someone, as: 'agent' })).toBe('sent')
  expect(mempool.entries()).toMatchObject([{ transaction: { to: someone, amount: 10_001_000_000_000n } }])
})

test('sends the stake of another token from its owner, and native coins for ten fees', async () => {
  const { mempool, faucet } = setUp()
  const { id: tokenId } = tokens.mineable
  expect(await faucet({ address: someone, tokenId })).toBe('sent')
  expect(mempool.entries().map(({ transaction }) => transaction)).toMatchObject([
    { to: someone, from: accounts.tokenOwner.address, amount: 1_001_000_000_000n, tokenId },
    { to: someone, from: accounts.faucet.address, amount: 11_000_000_000n, tokenId: tokens.native.id },
  ])
})

test('gives out a token of an unknown owner once the faucet holds some', async () => {
  const token: Token = { ...tokens.mineable, id: 'ab'.repeat(32) as TokenId, owner: other }
  const withToken = (before: Content) =>
    holding(other, tokens.native.id, 10n ** 12n)({ ...before, tokens: [...before.tokens, token] })
  const request = { address: someone, tokenId: token.id }
  expect(await setUp(withToken).faucet(request)).toBe('empty')
  const stocked = setUp((before) => holding(accounts.faucet.address, token.id, 10n ** 13n)(withToken(before)))
  expect(await stocked.faucet(request)).toBe('sent')
  // Without a native balance of its owner no payment of the token would be executed.
  const poor = setUp((before) =>
    holding(
      other,
      tokens.native.id,
      0n,
    )(holding(accounts.faucet.address, token.id, 10n ** 13n)(withToken(before))),
  )
  expect(await poor.faucet(request)).toBe('empty')
  expect(poor.mempool.size).toBe(0)
})

test('gives nothing of a token that cannot be mined', async () => {
  const { mempool, faucet } = setUp()
  expect(await faucet({ address: someone, tokenId: tokens.fixed.id })).toBe('token not mineable')
  expect(await faucet({ address: someone, tokenId: 'cd'.repeat(32) as TokenId })).toBe('token unknown')
  expect(mempool.size).toBe(0)
})

test('serves an address again only after a while, whatever the token', async () => {
  const { clock, faucet } = setUp()
  expect(await faucet({ address: someone })).toBe('sent')
  expect(await faucet({ address: other })).toBe('sent')
  await clock.advance(9999)
  expect(await faucet({ address: someone })).toBe('too soon')
  expect(await faucet({ address: someone, tokenId: tokens.mineable.id })).toBe('too soon')
  await clock.advance(1)
  expect(await faucet({ address: someone })).toBe('sent')
})

test('counts what it has promised already', async () => {
  const { faucet } = setUp(holding(accounts.faucet.address, tokens.native.id, 300_000_000_000n))
  expect(await faucet({ address: someone })).toBe('sent')
  expect(await faucet({ address: other })).toBe('empty')
})

test('sends one of several requests of an address that come at once', async () => {
  const { faucet } = setUp()
  const request = { address: someone, tokenId: tokens.mineable.id }
  expect(await Promise.all([faucet(request), faucet(request)])).toStrictEqual(['sent', 'too soon'])
})
