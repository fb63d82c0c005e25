import type { JsonValue } from '@hailstone/protocol'
import { asObject, type Case } from './case.ts'

/** Members that no ledger determines, in any answer: recorded/README.md. */
const freeEverywhere = ['timeadded', 'leader', 'leader_sign', 'price_raw', 'cg_price_usd', 'dex_price_usd']

/** Answers from configuration or manual input; only that they are JSON objects is compared. */
const freeAnswers = ['/stats', '/referrer_stake', '/contract_pricelist']

const fixedNetworkMembers = [
  'native_token',
  'target_speed',
  'reward_ratio',
  'fee_shares',
  'transfer_lock',
  'pos_min_stake',
  'mblock_slots',
]

/** Lists in storage order. */
const unordered = [
  '/get_tickers_all',
  '/balance_all_unfiltered',
  '/balance_all',
  '/balance_mineable',
  '/lasttxs',
  '/eindex_by_hash',
]

const without = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value as Case).filter(([name]) => !freeEverywhere.includes(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member ?? null)]))
}

const text = (value: JsonValue): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))

/** Sorts a list; for an object, each of its lists. */
function inOneOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [...value].sort((a, b) => (text(a) < text(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Case).map(([name, member]) => [
      name,
      Array.isArray(member) ? inOneOrder(member) : member,
    ]),
  )
}

/**
 * Returns the part of an answer that a replay of the ledger must reproduce exactly.
 *
 * @param route path without prefix and query
 */
export function comparablePart(route: string, answer: JsonValue): JsonValue {
  if (freeAnswers.includes(route)) return typeof answer === 'object' && answer !== null ? {} : answer
  const kept = without(answer)
  if (route === '/network_info') {
    const members = asObject(kept)
    return Object.fromEntries(fixedNetworkMembers.map((name) => [name, members[name] ?? null]))
  }
  return unordered.includes(route) ? inOneOrder(kept) : kept
}
