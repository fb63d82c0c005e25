import { type ContractOrder, encodeContractOrder, readContract } from './contract-order.ts'
import { assertArgument } from './errors/assert-argument.ts'
import { NodeError } from './errors/node-error.ts'
import type { MiningRule } from './token.ts'
import { type Amount, toAmount } from './values/amount.ts'

/** Fee of a transfer of a token: a fixed amount, a share, or native coins. */
export type FeePlan =
  | { readonly kind: 'fixed'; readonly units: bigint }
  /** `bps` in ten-thousandths of the net amount, 0 … 10000; never less than `minimum` units. */
  | { readonly kind: 'percent'; readonly bps: number; readonly minimum: bigint }
  /** Native units, taken besides the amount. */
  | { readonly kind: 'native'; readonly units: bigint }

/** A token to be created. Amounts are whole units: 10^decimals of them are one coin. */
export type TokenPlan = {
  /** 1 to 6 capital letters; need not be unique. */
  readonly symbol: string
  /** Up to 40 of `0-9 a-z A-Z blank _ - / .`. @default empty */
  readonly name?: string | undefined
  /** 0 … 10. @default 10 */
  readonly decimals?: number | undefined
  /** Units that the creator gets. */
  readonly supply: bigint
  /** @default a fixed fee of nothing */
  readonly fee?: FeePlan | undefined
  /** True if the owner can mint and burn. @default false */
  readonly isReissuable?: boolean | undefined
  /** Makes it mineable, which excludes `isReissuable`. @default null */
  readonly mining?:
    | { readonly [Name in keyof MiningRule]: MiningRule[Name] extends Amount ? bigint : MiningRule[Name] }
    | null
    | undefined
}

/** Longest `data` of a transaction. */
const LONGEST_DATA = 512

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

const NO_FEE: FeePlan = { kind: 'fixed', units: 0n }

function feeRule(fee: FeePlan) {
  if (fee.kind === 'percent')
    return { feeType: 1, feeValue: toAmount(BigInt(fee.bps)), feeMinimum: toAmount(fee.minimum) } as const
  const units = toAmount(fee.units)
  return { feeType: fee.kind === 'fixed' ? 0 : 2, feeValue: units, feeMinimum: units } as const
}

function miningRule(mining: NonNullable<TokenPlan['mining']>): MiningRule {
  return {
    maxSupply: toAmount(mining.maxSupply),
    blockReward: toAmount(mining.blockReward),
    minimumStake: toAmount(mining.minimumStake),
    referrerStake: toAmount(mining.referrerStake),
    referralShareBps: mining.referralShareBps,
  }
}

/** Settings and expected values of a plan, by the network's refusal. */
const meanings: Readonly<Record<string, readonly [path: string, expected: string]>> = {
  'Incorrect ticker format': ['symbol', '1 to 6 capital letters'],
  'token format is too long': ['name', 'at most 40 characters'],
  "Minable token can't be reissuable": ['reissuable', 'left out of a mineable token'],
  'Incorrect supply params': ['max supply', 'at least the supply'],
  'Incorrect block_reward param': ['block reward', 'at most what the supply is below the max supply'],
  'Incorrect referrer_stake param': ['referrer stake', 'at most the supply'],
  'Incorrect min_stake param': ['min stake', 'from one unit to the supply'],
}

/** Characters that `data` of a transaction may have, a name among them. */
const NAME = /^[0-9a-zA-Z _\-/.]*$/

/** The network takes anything and rejects it later, or not at all; mistakes of form are found here. */
function checked(order: ContractOrder): ContractOrder {
  const data = encodeContractOrder(order)
  if (data.length > LONGEST_DATA)
    throw refused('token', `at most ${LONGEST_DATA} characters when encoded`, `${data.length}`)
  const reading = readContract(data)
  if (reading.kind === 'refused')
    throw refused(
      ...(meanings[reading.message] ?? ['token', 'one that the network takes']),
      `what the network refuses with "${reading.message}"`,
    )
  return order
}

/**
 * The order that creates the token.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `AMOUNT_OUT_OF_RANGE`, `ARGUMENT_INVALID`
 */
export function tokenOrder(plan: TokenPlan): ContractOrder {
  const given = Object(plan) as TokenPlan
  const { symbol, name = '', decimals = 10, supply } = given
  const { fee = NO_FEE, isReissuable = false, mining = null } = given
  if (!NAME.test(name))
    throw refused('name', 'letters from a to z, digits, blanks and _ - / . alone', 'others')
  assertArgument(typeof symbol === 'string', 'symbol', 'a text', symbol)
  assertArgument(typeof supply === 'bigint', 'supply', 'a bigint of units, such as 25n', supply)
  return checked({
    type: 'create_token',
    token: {
      symbol,
      caption: name,
      decimals,
      totalSupply: toAmount(supply),
      ...feeRule(fee),
      isReissuable,
      mining: mining === null ? null : miningRule(mining),
    },
  })
}
