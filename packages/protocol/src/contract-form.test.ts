import { describe, expect, it } from 'vitest'
import type { ContractParameter, ContractType } from './contract.ts'
import { contractRefusal } from './contract-form.ts'

type Change = Readonly<Record<string, ContractParameter['value'] | number | null>>

/** A number stands for the wire type int, a bigint for bigint; null omits the parameter. */
const parameter = (key: string, value: ContractParameter['value'] | number): ContractParameter => {
  if (typeof value === 'string') return { key, type: 'string', value }
  return typeof value === 'number'
    ? { key, type: 'int', value: BigInt(value) }
    : { key, type: 'bigint', value }
}

function refusal(type: ContractType, given: Change): string | null {
  const parameters = Object.entries(given).flatMap(([key, value]) =>
    value === null ? [] : [parameter(key, value)],
  )
  return contractRefusal({ type, parameters })
}

const LIMIT = (1n << 64n) - 1n
const hash = 'a'.repeat(64)

const plain: Change = {
  fee_type: 0,
  fee_value: 100n,
  ticker: 'ABC',
  decimals: 10n,
  total_supply: 1000n,
  name: 'Abc coin',
}

const mined: Change = {
  ...plain,
  minable: 1,
  reissuable: 0,
  max_supply: 5000n,
  block_reward: 4000n,
  min_stake: 1n,
  referrer_stake: 0n,
  ref_share: 10000n,
}

describe('the form of a token creation', () => {
  it.each([
    ['the least there is', plain],
    ['an empty name', { ...plain, name: '' }],
    ['the longest name', { ...plain, name: 'n'.repeat(40) }],
    ['both flags', { ...plain, minable: 0, reissuable: 1 }],
    ['a percent fee', { ...plain, fee_type: 1, fee_value: 10000n, fee_min: 0n }],
    ['a native fee', { ...plain, fee_type: 2, fee_value: LIMIT }],
    ['the whole supply', { ...plain, total_supply: LIMIT }],
    ['no supply', { ...plain, total_supply: 0n }],
    ['mining at every limit', mined],
    ['an unknown key', { ...plain, colour: 'red' }],
    [
      'mining rules out of range of a token that is not mined',
      { ...plain, max_supply: 0n, ref_share: 20000n },
    ],
  ])('is right with %s', (_, given) => expect(refusal('create_token', given)).toBeNull())

  // In the order of the checks: the first of two faults is reported.
  it.each<[string, Change]>([
    ...(['fee_type', 'fee_value', 'ticker', 'decimals', 'total_supply', 'name'] as const).map(
      (key): [string, Change] => ['Incorrect param structure', { ...plain, [key]: null }],
    ),
    ['Incorrect param structure', { ...plain, name: null, ticker: 'abc' }],
    ['Incorrect ticker format', { ...plain, ticker: 'abc' }],
    ['Incorrect ticker format', { ...plain, ticker: 'ABCDEFG' }],
    ['Incorrect ticker format', { ...plain, ticker: '' }],
    ['Incorrect ticker format', { ...plain, ticker: 'ABC\n' }],
    ['Incorrect ticker format', { ...plain, ticker: 'AB1', name: 'n'.repeat(41) }],
    ['token format is too long', { ...plain, name: 'n'.repeat(41), fee_value: 1 }],
    ['Incorrect field format, BigInteger expected', { ...plain, fee_value: 1, decimals: 11n }],
    ['Incorrect field format, BigInteger expected', { ...plain, fee_min: 1 }],
    ['Incorrect field format, BigInteger expected', { ...plain, decimals: '5' }],
    ['Incorrect field format, BigInteger expected', { ...plain, ref_share: 1 }],
    ['Incorrect total_supply value', { ...plain, decimals: 11n }],
    ['Incorrect total_supply value', { ...plain, decimals: -1n, minable: 2 }],
    ['Incorrect minable flag, expect 0 or 1', { ...plain, minable: 2 }],
    ['Incorrect minable flag, expect 0 or 1', { ...plain, minable: 1n }],
    ['Incorrect minable flag, expect 0 or 1', { ...plain, minable: '1' }],
    ["Minable token can't be reissuable", { ...mined, reissuable: null }],
    ["Minable token can't be reissuable", { ...mined, reissuable: 1 }],
    ["Minable token can't be reissuable", { ...mined, reissuable: 2, min_stake: null }],
    ...(['max_supply', 'block_reward', 'min_stake', 'referrer_stake', 'ref_share'] as const).map(
      (key): [string, Change] => ['Incorrect param structure for minable token', { ...mined, [key]: null }],
    ),
    ['max_supply if out of 0...Utils.MAX_SUPPLY_LIMIT range', { ...mined, max_supply: LIMIT + 1n }],
    ['block_reward if out of 0...Utils.MAX_SUPPLY_LIMIT range', { ...mined, block_reward: -1n }],
    ['total_supply if out of 0...Utils.MAX_SUPPLY_LIMIT range', { ...mined, total_supply: LIMIT + 1n }],
    ['referrer_stake if out of 0...Utils.MAX_SUPPLY_LIMIT range', { ...mined, referrer_stake: -1n }],
    ['Incorrect supply params', { ...mined, max_supply: 0n }],
    ['Incorrect supply params', { ...mined, max_supply: 999n }],
    ['Incorrect block_reward param', { ...mined, block_reward: 4001n, ref_share: 10001n }],
    ['Incorrect ref_share param', { ...mined, ref_share: 10001n }],
    ['Incorrect ref_share param', { ...mined, ref_share: -1n, referrer_stake: 1001n }],
    ['Incorrect referrer_stake param', { ...mined, referrer_stake: 1001n, min_stake: 0n }],
    ['Incorrect min_stake param', { ...mined, min_stake: 0n }],
    ['Incorrect min_stake param', { ...mined, min_stake: 1001n }],
    ['Incorrect reissuable flag, expect 0 or 1', { ...plain, reissuable: 2, total_supply: LIMIT + 1n }],
    ['Incorrect total_supply value', { ...plain, total_supply: LIMIT + 1n, fee_type: 3 }],
    ['Incorrect total_supply value', { ...plain, total_supply: -1n }],
    ['Incorrect fee params', { ...plain, fee_type: 3 }],
    ['Incorrect fee params', { ...plain, fee_type: 0n }],
    ['Incorrect fee params', { ...plain, fee_type: '0' }],
    ['Incorrect fee params', { ...plain, fee_value: LIMIT + 1n }],
    ['Incorrect fee params', { ...plain, fee_type: 1, fee_value: 10001n }],
    ['Missing fee_min for fee_type = 1', { ...plain, fee_type: 1 }],
    ['Incorrect fee_min value', { ...plain, fee_type: 1, fee_min: -1n }],
    ['Incorrect fee_min value', { ...plain, fee_type: 1, fee_min: LIMIT + 1n }],
  ])('is refused with "%s" (%#)', (message, given) => expect(refusal('create_token', given)).toBe(message))

  it('counts the last of a repeated key', () => {
    const parameters = [...Object.entries(plain), ['ticker', 'abc'] as const].map(([key, value]) =>
      parameter(key, value ?? ''),
    )
    expect(contractRefusal({ type: 'create_token', parameters })).toBe('Incorrect ticker format')
  })
})

describe('the form of the other contracts', () => {
  it.each<[ContractType, Change]>([
    ['mint', { token_hash: hash, amount: 0n }],
    ['burn', { token_hash: hash.toUpperCase(), amount: LIMIT }],
    ['delegate', { pos_id: hash, amount: 10n ** 10n }],
    ['undelegate', { pos_id: hash, amount: 3n * 10n ** 10n }],
    ['transfer', { undelegate_id: hash }],
    ['pos_reward', { pos_id: hash }],
    ['create_pos', { fee: 10000n }],
    ['create_pos', { fee: 0n, name: 'n'.repeat(40) }],
  ])('%s is right (%#)', (type, given) => expect(refusal(type, given)).toBeNull())

  it.each<[ContractType, string, Change]>([
    ['mint', 'Incorrect param structure', { token_hash: hash }],
    ['burn', 'Incorrect param structure', { amount: 1n }],
    ['mint', 'Incorrect token_hash format', { token_hash: hash.slice(1), amount: 1 }],
    ['mint', 'Incorrect field format, BigInteger expected', { token_hash: hash, amount: 1 }],
    ['mint', 'Incorrect amount', { token_hash: hash, amount: LIMIT + 1n }],
    ['burn', 'Incorrect amount', { token_hash: hash, amount: -1n }],
    ['delegate', 'Incorrect param structure', { pos_id: hash }],
    ['delegate', 'Incorrect pos_id format', { pos_id: 'x', amount: 10n ** 10n }],
    ['delegate', 'Incorrect field format, BigInteger expected', { pos_id: hash, amount: 1 }],
    ['undelegate', 'Incorrect amount', { pos_id: hash, amount: 10n ** 10n + 1n }],
    ['undelegate', 'Incorrect amount', { pos_id: hash, amount: -(10n ** 10n) }],
    ['transfer', 'Incorrect undelegate_id format', {}],
    ['pos_reward', 'Incorrect pos_id format', { pos_id: 'f'.repeat(65) }],
    ['create_pos', 'Incorrect fee', {}],
    ['create_pos', 'Incorrect fee', { fee: 10001n }],
    ['create_pos', 'Incorrect fee', { fee: 1 }],
    ['create_pos', 'Incorrect name format', { fee: 1n, name: 'n'.repeat(41) }],
    ['create_pos', 'Incorrect name format', { fee: 1n, name: 5n }],
    ['custom', 'Contract validation failed', { a: 12 }],
    ['exchange', 'Contract validation failed', {}],
  ])('%s is refused with "%s" (%#)', (type, message, given) => expect(refusal(type, given)).toBe(message))
})
