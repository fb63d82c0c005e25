import type { Contract, ContractParameter, ContractType } from './contract.ts'
import { MAX_AMOUNT } from './values/amount.ts'

/** Parameters by key; for a repeated key the last value counts. */
type Parameters = ReadonlyMap<string, ContractParameter>

/** A check: returns the network's message if it fails, null if it passes. */
type Check = (parameters: Parameters) => string | null

const STRUCTURE = 'Incorrect param structure'
const BIG_INTEGER = 'Incorrect field format, BigInteger expected'
const AMOUNT = 'Incorrect amount'
const WHOLE = 10_000n
const NATIVE_COIN = 10_000_000_000n
const LONGEST_NAME = 40

const refuseWhen =
  (message: string, isWrong: (parameters: Parameters) => boolean): Check =>
  (parameters) =>
    isWrong(parameters) ? message : null

const lacksAny =
  (...keys: readonly string[]) =>
  (parameters: Parameters): boolean =>
    keys.some((key) => !parameters.has(key))

/** Returns the value of a number. Other types were refused by an earlier check or count as absent. */
function numberOf(parameters: Parameters, key: string): bigint | undefined {
  const value = parameters.get(key)?.value
  return typeof value === 'bigint' ? value : undefined
}

const isOutside = (value: bigint | undefined, most: bigint): boolean =>
  value === undefined || value < 0n || value > most

const isNoAmount = (parameters: Parameters, key: string): boolean =>
  isOutside(numberOf(parameters, key), MAX_AMOUNT)

/** True if a parameter is present and its wire type is not bigint. */
const isOtherThanBigint = (parameters: Parameters, key: string): boolean => {
  const parameter = parameters.get(key)
  return parameter !== undefined && parameter.type !== 'bigint'
}

/** The network compares flags without conversion, so a bigint or text 1 is not a flag. */
const isFlag = (parameters: Parameters, key: string, flag: 0n | 1n): boolean => {
  const parameter = parameters.get(key)
  return (parameter?.type === 'int' || parameter?.type === 'float') && parameter.value === flag
}

const isNoFlag =
  (key: string) =>
  (parameters: Parameters): boolean =>
    parameters.has(key) && !isFlag(parameters, key, 0n) && !isFlag(parameters, key, 1n)

const isNoHash =
  (key: string) =>
  (parameters: Parameters): boolean =>
    !/^[0-9a-fA-F]{64}$/.test(String(parameters.get(key)?.value))

const isMined = (parameters: Parameters): boolean => isFlag(parameters, 'minable', 1n)

/** A rule that applies to mined tokens only. */
const refuseMinedWhen = (message: string, isWrong: (parameters: Parameters) => boolean): Check =>
  refuseWhen(message, (parameters) => isMined(parameters) && isWrong(parameters))

const isOverSupply = (key: string, least: bigint) => (parameters: Parameters) => {
  const value = numberOf(parameters, key) ?? -1n
  return value < least || value > (numberOf(parameters, 'total_supply') ?? 0n)
}

const isLongName = (parameters: Parameters): boolean => {
  const name = parameters.get('name')
  return name?.type === 'string' && name.value.length > LONGEST_NAME
}

const tokenAmounts = [
  'fee_value',
  'fee_min',
  'decimals',
  'total_supply',
  'max_supply',
  'block_reward',
  'min_stake',
  'ref_share',
  'referrer_stake',
] as const

const minedAmounts = ['max_supply', 'block_reward', 'total_supply', 'referrer_stake'] as const

function minedAmountOutside(parameters: Parameters): string | null {
  const key = isMined(parameters) ? minedAmounts.find((name) => isNoAmount(parameters, name)) : undefined
  return key === undefined ? null : `${key} if out of 0...Utils.MAX_SUPPLY_LIMIT range`
}

function isFeeWrong(parameters: Parameters): boolean {
  const feeType = parameters.get('fee_type')
  if (feeType?.type !== 'int' && feeType?.type !== 'float') return true
  if (feeType.value < 0n || feeType.value > 2n) return true
  return isOutside(numberOf(parameters, 'fee_value'), feeType.value === 1n ? WHOLE : MAX_AMOUNT)
}

const isPercentFee = (parameters: Parameters): boolean => numberOf(parameters, 'fee_type') === 1n

/** PROTOCOL 7.5: same order, same messages. */
const tokenCreation: readonly Check[] = [
  refuseWhen(STRUCTURE, lacksAny('fee_type', 'fee_value', 'ticker', 'decimals', 'total_supply', 'name')),
  refuseWhen('Incorrect ticker format', (parameters) => {
    return !/^[A-Z]{1,6}$/.test(String(parameters.get('ticker')?.value))
  }),
  refuseWhen('token format is too long', isLongName),
  refuseWhen(BIG_INTEGER, (parameters) => tokenAmounts.some((key) => isOtherThanBigint(parameters, key))),
  // The network uses this message for wrong decimals.
  refuseWhen('Incorrect total_supply value', (parameters) =>
    isOutside(numberOf(parameters, 'decimals'), 10n),
  ),
  refuseWhen('Incorrect minable flag, expect 0 or 1', isNoFlag('minable')),
  refuseMinedWhen("Minable token can't be reissuable", (parameters) => !isFlag(parameters, 'reissuable', 0n)),
  refuseMinedWhen(
    'Incorrect param structure for minable token',
    lacksAny('max_supply', 'block_reward', 'min_stake', 'referrer_stake', 'ref_share'),
  ),
  minedAmountOutside,
  refuseMinedWhen('Incorrect supply params', (parameters) => {
    const maxSupply = numberOf(parameters, 'max_supply') ?? 0n
    return maxSupply === 0n || maxSupply < (numberOf(parameters, 'total_supply') ?? 0n)
  }),
  refuseMinedWhen('Incorrect block_reward param', (parameters) => {
    const room = (numberOf(parameters, 'max_supply') ?? 0n) - (numberOf(parameters, 'total_supply') ?? 0n)
    return (numberOf(parameters, 'block_reward') ?? 0n) > room
  }),
  refuseMinedWhen('Incorrect ref_share param', (parameters) => {
    return isOutside(numberOf(parameters, 'ref_share'), WHOLE)
  }),
  refuseMinedWhen('Incorrect referrer_stake param', isOverSupply('referrer_stake', 0n)),
  refuseMinedWhen('Incorrect min_stake param', isOverSupply('min_stake', 1n)),
  refuseWhen('Incorrect reissuable flag, expect 0 or 1', isNoFlag('reissuable')),
  refuseWhen('Incorrect total_supply value', (parameters) => isNoAmount(parameters, 'total_supply')),
  refuseWhen('Incorrect fee params', isFeeWrong),
  refuseWhen('Missing fee_min for fee_type = 1', (parameters) => {
    return isPercentFee(parameters) && !parameters.has('fee_min')
  }),
  refuseWhen('Incorrect fee_min value', (parameters) => {
    return isPercentFee(parameters) && isNoAmount(parameters, 'fee_min')
  }),
]

const supplyChange: readonly Check[] = [
  refuseWhen(STRUCTURE, lacksAny('token_hash', 'amount')),
  refuseWhen('Incorrect token_hash format', isNoHash('token_hash')),
  refuseWhen(BIG_INTEGER, (parameters) => isOtherThanBigint(parameters, 'amount')),
  refuseWhen(AMOUNT, (parameters) => isNoAmount(parameters, 'amount')),
]

const stakeChange: readonly Check[] = [
  refuseWhen(STRUCTURE, lacksAny('pos_id', 'amount')),
  refuseWhen('Incorrect pos_id format', isNoHash('pos_id')),
  refuseWhen(BIG_INTEGER, (parameters) => isOtherThanBigint(parameters, 'amount')),
  refuseWhen(AMOUNT, (parameters) => {
    return isNoAmount(parameters, 'amount') || (numberOf(parameters, 'amount') ?? 0n) % NATIVE_COIN !== 0n
  }),
]

const poolCreation: readonly Check[] = [
  refuseWhen('Incorrect fee', (parameters) => {
    return parameters.get('fee')?.type !== 'bigint' || isOutside(numberOf(parameters, 'fee'), WHOLE)
  }),
  refuseWhen('Incorrect name format', (parameters) => {
    return parameters.has('name') && (parameters.get('name')?.type !== 'string' || isLongName(parameters))
  }),
]

/** The network defines these codes but does not execute them. */
const unavailable: readonly Check[] = [() => 'Contract validation failed']

const checks: { readonly [T in ContractType]: readonly Check[] } = {
  custom: unavailable,
  exchange: unavailable,
  create_token: tokenCreation,
  mint: supplyChange,
  burn: supplyChange,
  delegate: stakeChange,
  undelegate: stakeChange,
  create_pos: poolCreation,
  pos_reward: [refuseWhen('Incorrect pos_id format', isNoHash('pos_id'))],
  transfer: [refuseWhen('Incorrect undelegate_id format', isNoHash('undelegate_id'))],
}

/**
 * Returns the message with which POST /tx refuses a contract (PROTOCOL 7.5), null if its form is valid. Receiver,
 * price, ownership and balances are not part of the form: they count when the transaction is calculated.
 */
export function contractRefusal(contract: Contract): string | null {
  const parameters = new Map(contract.parameters.map((parameter) => [parameter.key, parameter]))
  for (const check of checks[contract.type]) {
    const message = check(parameters)
    if (message !== null) return message
  }
  return null
}
