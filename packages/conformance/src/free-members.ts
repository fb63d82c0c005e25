import type { JsonValue } from '@hailstone/protocol'
import { asObject, type Case } from './case.ts'

/** What no ledger decides, in any answer: recorded/README.md. */
const freeEverywhere = ['timeadded', 'leader_sign', 'price_raw', 'cg_price_usd', 'dex_price_usd']

/** Answers that are configuration or were put in by hand; that they are JSON objects is all that is compared. */
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

/** Lists whose order is that of the storage. */
const unordered = [
  '/get_tickers_all',
  '/balance_all_unfiltered',
  '/balance_all',
  '/balance_mineable',
  '/lasttxs',
]

const without = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value as Case).filter(([name]) => !freeEverywhere.includes(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member ?? null)]))
}

const text = (value: JsonValue): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))

/** A list in an order of its own; in an object, every list of it. */
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
 * The part of an answer that a replay of the ledger must give exactly.
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
