import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeContract } from './contract.ts'
import { type ContractOrder, encodeContractOrder, readContract } from './contract-order.ts'
import { toAmount } from './values/amount.ts'

const hash = '6e783516222880f73b594a45ae58b9bb5474188cd0f3a6e2d67f717370401081'

const orders: fc.Arbitrary<ContractOrder> = fc.oneof(
  fc.record({
    type: fc.constantFrom('mint' as const, 'burn' as const),
    tokenId: fc.constant(hash),
    amount: fc.bigInt(0n, (1n << 64n) - 1n).map(toAmount),
  }),
  fc.record({
    type: fc.constantFrom('delegate' as const, 'undelegate' as const),
    poolId: fc.constant(hash),
    amount: fc.bigInt(0n, 1n << 30n).map((coins) => toAmount(coins * 10n ** 10n)),
  }),
  fc.record({
    type: fc.constant('create_pos' as const),
    feeBps: fc.integer({ min: 0, max: 10_000 }),
    name: fc.constantFrom('', 'node 94c3'),
  }),
  fc.constant({ type: 'transfer' as const, undelegationId: hash }),
  fc.constant({ type: 'pos_reward' as const, poolId: hash }),
  fc
    .record({ totalSupply: fc.bigInt(1n, 1n << 62n), room: fc.bigInt(0n, 1n << 62n), isMined: fc.boolean() })
    .map(
      ({ totalSupply, room, isMined }): ContractOrder => ({
        type: 'create_token',
        token: {
          feeType: 1,
          feeValue: toAmount(12n),
          feeMinimum: toAmount(34n),
          symbol: 'ABC',
          caption: 'Abc coin',
          decimals: 3,
          totalSupply: toAmount(totalSupply),
          isReissuable: !isMined,
          mining: isMined
            ? {
                maxSupply: toAmount(totalSupply + room),
                blockReward: toAmount(room),
                minimumStake: toAmount(totalSupply),
                referrerStake: toAmount(0n),
                referralShareBps: 2574,
              }
            : null,
        },
      }),
    ),
)

describe('an order', () => {
  it('survives being written into data and read again', () => {
    fc.assert(
      fc.property(orders, (order) => {
        expect(readContract(encodeContractOrder(order))).toMatchObject({ kind: 'contract', order })
      }),
    )
  })
})

describe('readContract', () => {
  it('takes text for a memo', () => expect(readContract('for the coffee')).toEqual({ kind: 'memo' }))

  it('tells what the network would answer with an error of its own', () => {
    expect(readContract('000c0200abcd').kind).toBe('undecodable')
    expect(readContract('000c0100abcd').kind).toBe('undecodable')
  })

  it('tells the message of the network for a wrong form', () => {
    expect(readContract('00230100001b0f0000090d00a000a080012')).toEqual({
      kind: 'refused',
      message: 'Contract validation failed',
    })
  })

  it('stores the fee as the minimum when none is given', () => {
    const reading = readContract(
      '00cf020000c70f0000100d00fee_type00090800000110d00fee_value00140900162543489732000e0d00ticker000e0700CBJHOP00100d00decimals00090900500140d00total_supply001b09003214401951004870395000c0d00name00110700Coin 7e1e',
    )
    expect(reading).toMatchObject({
      order: { token: { feeValue: 162543489732n, feeMinimum: 162543489732n } },
    })
  })

  it('finds no order in a fixed fee whose unchecked minimum is no amount', () => {
    const parameters = [
      { key: 'fee_type', type: 'int', value: 0n },
      { key: 'fee_value', type: 'bigint', value: 1n },
      { key: 'fee_min', type: 'bigint', value: -1n },
      { key: 'ticker', type: 'string', value: 'ABC' },
      { key: 'decimals', type: 'bigint', value: 0n },
      { key: 'total_supply', type: 'bigint', value: 1n },
      { key: 'name', type: 'string', value: '' },
    ] as const
    expect(readContract(encodeContract({ type: 'create_token', parameters }))).toMatchObject({
      kind: 'contract',
      order: null,
    })
  })
})
