import {
  type FeePlan,
  NodeError,
  parseAmount,
  parseTokenId,
  type TokenId,
  type TokenPlan,
} from '@hailstone/protocol'
import { CommandLineError, readCommandLine, readCommandName } from '@hailstone/runtime/node'
import { readDuration } from '../read-duration.ts'
import type { KeySource } from './read-key.ts'

export const TOKEN_HELP = `hailstone-network token create|mint|burn – tokens on a running network

Who signs and pays:
  --as NAME              a development account, such as developer-1   [developer-1]
  --seed TEXT            the seed of the network, for --as            [hailstone]
  --key-file FILE        a private key in a file
  --key-stdin            a private key on standard input

Where:
  --api URL              [http://127.0.0.1:4410/api/v1]
  --timeout TIME         how long to wait for the macroblock          [2m]

create:
  --symbol NAME          1 to 6 capital letters
  --name TEXT            up to 40 of letters, digits, blanks and _ - / .
  --decimals N           0 to 10                                      [10]
  --supply COINS         what the creator gets
  --fee FEE              fixed:COINS, percent:PERCENT:LEAST or native:COINS  [fixed:0]
  --reissuable           the owner can mint and burn
  --mineable             with the following, in coins of the token:
    --max-supply COINS   --block-reward COINS   --min-stake COINS
    --referrer-stake COINS  [that of --min-stake]   --referral-share PERCENT  [10]

mint, burn:
  --token ID             64 hex digits
  --amount COINS`

export type TokenOrder =
  | { readonly kind: 'create'; readonly plan: TokenPlan }
  /** The amount is in coins: how many units that is only the network knows. */
  | { readonly kind: 'mint' | 'burn'; readonly tokenId: TokenId; readonly amount: string }

export type TokenCommand = {
  readonly order: TokenOrder
  readonly url: string
  readonly key: KeySource
  readonly timeoutMs: number
}

const NATIVE_DECIMALS = 10

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

const flags = {
  as: text,
  seed: { type: 'string', default: 'hailstone' },
  'key-file': text,
  'key-stdin': flag,
  api: { type: 'string', default: 'http://127.0.0.1:4410/api/v1' },
  timeout: { type: 'string', default: '2m' },
  symbol: text,
  name: text,
  decimals: { type: 'string', default: '10' },
  supply: text,
  fee: { type: 'string', default: 'fixed:0' },
  reissuable: flag,
  mineable: flag,
  'max-supply': text,
  'block-reward': text,
  'min-stake': text,
  'referrer-stake': text,
  'referral-share': { type: 'string', default: '10' },
  token: text,
  amount: text,
} as const

const read = (args: readonly string[]) =>
  readCommandLine({ args: [...args], options: flags, allowPositionals: true })

type Values = ReturnType<typeof read>['values']

function needed(values: Values, name: keyof Values): string {
  const value = values[name]
  if (typeof value === 'string' && value !== '') return value
  throw refused(`--${name}`, 'given', 'nothing')
}

function decimalsOf(values: Values): number {
  const given = values.decimals
  if (/^(?:\d|10)$/.test(given)) return Number(given)
  throw refused('--decimals', 'a number from 0 to 10', `"${given}"`)
}

/** Percent with up to two digits after the point, in ten-thousandths. */
function bpsOf(path: string, percent: string): number {
  const bps = Number(percent) * 100
  if (/^\d+(?:\.\d{1,2})?$/.test(percent) && bps <= 10_000) return Math.round(bps)
  throw refused(path, 'a percentage from 0 to 100 with at most two digits after the point', `"${percent}"`)
}

function feeOf(values: Values, decimals: number): FeePlan {
  const [kind, first = '', least = ''] = values.fee.split(':')
  if (kind === 'fixed') return { kind, units: parseAmount(first, { decimals }) }
  if (kind === 'native') return { kind, units: parseAmount(first, { decimals: NATIVE_DECIMALS }) }
  if (kind === 'percent')
    return { kind, bps: bpsOf('--fee', first), minimum: parseAmount(least, { decimals }) }
  throw refused('--fee', 'fixed:COINS, percent:PERCENT:LEAST or native:COINS', `"${values.fee}"`)
}

function miningOf(values: Values, decimals: number): TokenPlan['mining'] {
  if (!values.mineable) return null
  const units = (name: keyof Values) => parseAmount(needed(values, name), { decimals })
  return {
    maxSupply: units('max-supply'),
    blockReward: units('block-reward'),
    minimumStake: units('min-stake'),
    referrerStake: values['referrer-stake'] === undefined ? units('min-stake') : units('referrer-stake'),
    referralShareBps: bpsOf('--referral-share', values['referral-share']),
  }
}

function planOf(values: Values): TokenPlan {
  const decimals = decimalsOf(values)
  return {
    symbol: needed(values, 'symbol'),
    name: values.name,
    decimals,
    supply: parseAmount(needed(values, 'supply'), { decimals }),
    fee: feeOf(values, decimals),
    isReissuable: values.reissuable,
    mining: miningOf(values, decimals),
  }
}

function orderOf(written: string, values: Values): TokenOrder {
  const kind = readCommandName(written, ['create', 'mint', 'burn'])
  if (kind === 'create') return { kind, plan: planOf(values) }
  return { kind, tokenId: parseTokenId(needed(values, 'token')), amount: needed(values, 'amount') }
}

function keyOf(values: Values): KeySource {
  const given = [values.as, values['key-file'], values['key-stdin'] || undefined]
  if (given.filter((one) => one !== undefined).length > 1)
    throw refused('of the key', 'one of --as, --key-file and --key-stdin', 'more than one')
  if (values['key-stdin']) return { kind: 'stdin' }
  const path = values['key-file']
  return path === undefined
    ? { kind: 'account', name: values.as ?? 'developer-1', seed: values.seed }
    : { kind: 'file', path }
}

function durationMs(given: string): number {
  const ms = readDuration(given)
  if (ms > 0 && ms <= 3_600_000) return ms
  throw refused('--timeout', 'a time up to 60m, such as 30s', `"${given}"`)
}

/**
 * @throws {CommandLineError} for a command or an option that does not exist
 * @throws {NodeError} `CONFIGURATION_INVALID`, `AMOUNT_MALFORMED`, `AMOUNT_TOO_PRECISE`, `TOKEN_ID_MALFORMED`
 */
export function parseTokenFlags(args: readonly string[]): TokenCommand {
  const { values, positionals } = read(args)
  const [kind = '', ...others] = positionals
  if (others.length > 0) throw new CommandLineError('There is a word that belongs to no option.')
  return {
    order: orderOf(kind, values),
    url: values.api.replace(/\/$/, ''),
    key: keyOf(values),
    timeoutMs: durationMs(values.timeout),
  }
}
