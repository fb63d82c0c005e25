import { createGenesis } from '@hailstone/ledger'
import type { Address, Amount, Token, TokenId } from '@hailstone/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseClient, chooseToken, freeSlots, selectionWeight } from './selection.ts'

const { tokens, parameters, accounts } = createGenesis({ seed: 'selection', time: 0 })
const { native, mineable } = tokens
const genesis = accounts.genesis.address
const owner = accounts.tokenOwner.address
const coins = (count: number): bigint => BigInt(count) * 10n ** 10n

const slots = (ownerCoins: number, mined: readonly TokenId[] = []) =>
  freeSlots({
    slots: parameters.microblockSlots,
    tokens: [native, mineable],
    nativeBalance: () => coins(ownerCoins),
    mined,
  })

test('gives places to the reserve, and to owners strictly above the least stake', () => {
  expect(slots(500_000).map((slot) => slot.owner)).toEqual([genesis, null])
  expect(slots(500_001).map((slot) => slot.owner)).toEqual([owner, genesis, null])
})

test('takes the microblocks of an owner off its places, but not off the open ones', () => {
  const places = slots(500_001, [mineable.id, mineable.id, mineable.id, native.id])
  expect(places.map((slot) => slot.freePlaces)).toEqual([0, 1, 2])
})

test('gives places by stake when there are more owners than places', () => {
  const token = (name: string): Token => ({ ...mineable, id: name as TokenId, owner: name as Address })
  const balances: Record<string, bigint> = { a: 1n, b: 3n, c: 2n }
  const places = freeSlots({
    slots: { size: 1, count: 2, minimumStake: 0n as Amount, reserve: [] },
    tokens: [token('a'), token('b'), token('c')],
    nativeBalance: (one) => balances[one] ?? 0n,
    mined: [],
  })
  expect(places.map((slot) => slot.owner)).toEqual(['b', 'c'])
})

const ownerOf = (tokenId: TokenId) => (tokenId === mineable.id ? owner : genesis)
const choose = (slotOwner: Address | null, miners: readonly (readonly [TokenId, number])[], random: number) =>
  chooseToken({ minersByToken: new Map(miners), slotOwner, ownerOf, random: () => random })

test("prefers the slot owner's token while it has a miner", () => {
  expect(
    choose(
      owner,
      [
        [native.id, 99],
        [mineable.id, 1],
      ],
      0,
    ),
  ).toBe(mineable.id)
  expect(choose(owner, [[native.id, 99]], 0.5)).toBe(native.id)
  expect(choose(owner, [], 0.5)).toBeUndefined()
})

test('makes a token as likely as it has miners', () => {
  const miners = [
    [native.id, 3],
    [mineable.id, 1],
  ] as const
  expect(choose(null, miners, 0.74)).toBe(native.id)
  expect(choose(null, miners, 0.75)).toBe(mineable.id)
})

const weight = (balance: bigint, token: Token | undefined = native) =>
  selectionWeight({
    balance,
    token,
    nativeTokenId: native.id,
    maximumNativeStake: parameters.ledger.maximumNativeStake,
  })

test('weighs a native stake between its least and its most', () => {
  expect(weight(coins(25) - 1n)).toBe(0n)
  expect(weight(coins(25))).toBe(505n)
  expect(weight(coins(25_000))).toBe(5500n)
  expect(weight(coins(1_000_000))).toBe(5500n)
})

test('weighs a custom stake without bounds, and an unknown token with nothing', () => {
  expect(weight(coins(1_000_000), mineable)).toBe(200_500n)
  expect(weight(coins(1) - 1n, mineable)).toBe(0n)
  expect(
    selectionWeight({ balance: 1n, token: undefined, nativeTokenId: native.id, maximumNativeStake: 1n }),
  ).toBe(0n)
})

test('chooses the first client when nobody has a stake', () => {
  expect(
    chooseClient(
      [
        { weight: 0n, name: 'a' },
        { weight: 0n, name: 'b' },
      ],
      () => 0.99,
    )?.name,
  ).toBe('a')
})

test('always chooses one of the clients that have a weight', () => {
  const clients = fc.array(fc.record({ weight: fc.bigInt(0n, 2n ** 70n) }), { minLength: 1 })
  fc.assert(
    fc.property(clients, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (given, random) => {
      const chosen = chooseClient(given, () => random)
      const hasWeight = given.some((client) => client.weight > 0n)
      expect(chosen !== undefined && (!hasWeight || chosen.weight > 0n)).toBe(true)
    }),
  )
})
