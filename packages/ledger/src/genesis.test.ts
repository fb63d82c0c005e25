import { addressOf, isBlockName, isTokenId } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { createGenesis } from './genesis.ts'

const genesis = createGenesis({ seed: 'one', time: 5 })

test('is the same for the same seed, and another for another', () => {
  expect(createGenesis({ seed: 'one', time: 5 })).toEqual(genesis)
  const other = createGenesis({ seed: 'two', time: 5 })
  expect(other.accounts.genesis.address).not.toBe(genesis.accounts.genesis.address)
  expect(other.tokens.mineable.id).not.toBe(genesis.tokens.mineable.id)
})

test('issues exactly what somebody holds', () => {
  const { balances, delegations, tokens } = genesis.content
  for (const token of tokens) {
    const held = balances.filter(({ tokenId }) => tokenId === token.id)
    const delegated = token.id === genesis.tokens.native.id ? delegations : []
    const sum = [...held, ...delegated].reduce((total, { amount }) => total + amount, 0n)
    expect(sum).toBe(token.totalSupply)
  }
})

test('gives each developer coins and mineable tokens, and the token owner coins for fees', () => {
  const balanceOf = (account: string, tokenId: string) =>
    genesis.content.balances.find((row) => row.account === account && row.tokenId === tokenId)?.amount
  const { developers, tokenOwner } = genesis.accounts
  for (const { address, privateKey } of developers) {
    expect(addressOf(privateKey)).toBe(address)
    expect(balanceOf(address, genesis.tokens.native.id)).toBe(100_000n * 10n ** 10n)
    expect(balanceOf(address, genesis.tokens.mineable.id)).toBe(50_000n * 10n ** 10n)
  }
  expect(balanceOf(tokenOwner.address, genesis.tokens.native.id)).toBeGreaterThan(0n)
})

test('names its origin block in words and its tokens in hex', () => {
  expect(isBlockName(genesis.origin.hash)).toBe(true)
  expect(genesis.origin).toMatchObject({ height: 0, time: 5, publisher: genesis.accounts.genesis.address })
  expect(genesis.content.tokens.every(({ id }) => isTokenId(id))).toBe(true)
})

test('has mineable tokens whose rules a creation would be allowed', () => {
  for (const { mining, totalSupply } of [genesis.tokens.native, genesis.tokens.mineable]) {
    if (mining === null) throw new Error('should be mineable')
    expect(mining.maxSupply).toBeGreaterThanOrEqual(totalSupply + mining.blockReward)
    expect(mining.minimumStake).toBeGreaterThan(0n)
    expect(mining.referrerStake).toBeLessThanOrEqual(totalSupply)
  }
})
