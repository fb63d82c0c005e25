import { createGenesis, createLedgerState } from '@hailstone/ledger'
import { addressOf, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { createFaucet } from './faucet.ts'
import { createMempool } from './mempool.ts'

const { accounts, tokens, content } = createGenesis({ seed: 'faucet', time: 0 })
const someone = addressOf(parsePrivateKey(sha256Hex('someone')))
const other = addressOf(parsePrivateKey(sha256Hex('other')))

function setUp(units?: bigint) {
  const clock = manualClock()
  const mempool = createMempool(clock)
  const balances = content.balances.map((row) =>
    row.account === accounts.faucet.address && units !== undefined ? { ...row, amount: units } : row,
  )
  const ledger = createLedgerState({ ...content, balances })
  const parts = { account: accounts.faucet, nativeToken: tokens.native, random: Math.random }
  return { clock, mempool, faucet: createFaucet({ ...parts, ledger, mempool, clock }) }
}

test('sends 25.1 coins gross, of which 25 arrive', () => {
  const { mempool, faucet } = setUp()
  expect(faucet(someone.toUpperCase())).toBe('sent')
  expect(mempool.entries()).toMatchObject([
    { transaction: { to: someone, from: accounts.faucet.address, amount: 251_000_000_000n, data: '' } },
  ])
})

test('serves an address again only after a while', async () => {
  const { clock, faucet } = setUp()
  expect(faucet(someone)).toBe('sent')
  expect(faucet(other)).toBe('sent')
  await clock.advance(9999)
  expect(faucet(someone)).toBe('too soon')
  await clock.advance(1)
  expect(faucet(someone)).toBe('sent')
})

test('counts what it has promised already', () => {
  const { faucet } = setUp(300_000_000_000n)
  expect(faucet(someone)).toBe('sent')
  expect(faucet(other)).toBe('empty')
})

test('sends nothing to what is no address', () => {
  const { mempool, faucet } = setUp()
  expect(faucet('__proto__')).toBe('address malformed')
  expect(mempool.size).toBe(0)
})
