import type { TokenSlot } from '@hailstone/client'
import { formatAmount } from '@hailstone/protocol'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'

/** A figure that is not known, and why: one clause, such as "the API did not answer". */
export type Unknown = {
  /** One clause, such as "the API did not answer". */
  readonly why: string
}

/** The API has not said it. */
export const NOT_ANSWERED: Unknown = { why: 'the API did not answer' }

/** Microblocks of one miner since it was started. */
export type WorkCounts = {
  /** That the network offered it. */
  readonly offered: number
  /** Microblocks that were signed and sent. */
  readonly signed: number
  /** Not signed, because the next one came first. */
  readonly tooLate: number
  /** Signed, and in no macroblock that came since. */
  readonly leftOut: number
  /** Of the signed, those that stand in a calculated macroblock. */
  readonly inBlocks: number
}

/** What decides how much a miner earns beside others. Amounts are units of the token. */
export type ShareFacts = {
  readonly token: {
    /** Short name of the mined token. */
    readonly symbol: string
    /** Decimals of the mined token, 0 to 10. */
    readonly decimals: number
  }
  /** Units that the miner holds. */
  readonly balance: bigint | Unknown
  /** Units that a miner has to hold. */
  readonly minimumStake: bigint | Unknown
  /** The most that counts; null where all of it counts, as for every token but the native one. */
  readonly maximumStake: bigint | null | Unknown
  readonly work: WorkCounts | Unknown
  /** Time with a connection since the start, in ms. */
  readonly onlineMs: number | Unknown
  readonly slot: Pick<TokenSlot, 'hasSlot' | 'places'>
}

/** One reason with its figures, from which every language makes a sentence. */
export type SharePart =
  | { readonly code: 'STAKE_UNKNOWN'; readonly why: string }
  /** @param missing units */
  | { readonly code: 'STAKE_BELOW'; readonly have: bigint; readonly least: bigint; readonly missing: bigint }
  /** As much as counts, or more. */
  | { readonly code: 'STAKE_FULL'; readonly have: bigint; readonly most: bigint }
  /** @param tenths how often the most that counts has it, in tenths, rounded up: nobody gets more than that */
  | { readonly code: 'STAKE_PART'; readonly have: bigint; readonly most: bigint; readonly tenths: bigint }
  | { readonly code: 'STAKE_COUNTS'; readonly have: bigint }
  | { readonly code: 'WORK_UNKNOWN'; readonly why: string }
  | { readonly code: 'WORK_NONE' }
  | ({ readonly code: 'WORK' } & WorkCounts)
  | { readonly code: 'ONLINE_UNKNOWN'; readonly why: string }
  | { readonly code: 'ONLINE'; readonly ms: number }
  | { readonly code: 'SLOT_YES' | 'SLOT_NO'; readonly places: TokenSlot['places'] }
  | { readonly code: 'SLOT_UNKNOWN' }

const isUnknown = (value: unknown): value is Unknown => typeof Object(value).why === 'string'

/** Answers "why less than my neighbour?": stake, work, time online and the token's place, in this order. */
export const explainShare = (facts: ShareFacts): readonly SharePart[] => [
  stakePart(facts),
  workPart(facts.work),
  isUnknown(facts.onlineMs)
    ? { code: 'ONLINE_UNKNOWN', why: facts.onlineMs.why }
    : { code: 'ONLINE', ms: facts.onlineMs },
  slotPart(facts.slot),
]

function stakePart({ balance: have, minimumStake: least, maximumStake: most }: ShareFacts): SharePart {
  for (const one of [have, least, most]) if (isUnknown(one)) return { code: 'STAKE_UNKNOWN', why: one.why }
  // The loop has returned where one is unknown.
  const [has, needs, counts] = [have, least, most] as [bigint, bigint, bigint | null]
  // Rewards are shares of a stake: none earns none, where the network wants no least stake too.
  const wanted = needs > 0n ? needs : 1n
  if (has < wanted) return { code: 'STAKE_BELOW', have: has, least: wanted, missing: wanted - has }
  if (counts === null) return { code: 'STAKE_COUNTS', have: has }
  if (has >= counts) return { code: 'STAKE_FULL', have: has, most: counts }
  return { code: 'STAKE_PART', have: has, most: counts, tenths: (10n * counts + has - 1n) / has }
}

function workPart(work: ShareFacts['work']): SharePart {
  if (isUnknown(work)) return { code: 'WORK_UNKNOWN', why: work.why }
  return work.offered === 0 ? { code: 'WORK_NONE' } : { code: 'WORK', ...work }
}

const slotPart = ({ hasSlot, places }: ShareFacts['slot']): SharePart =>
  hasSlot === null ? { code: 'SLOT_UNKNOWN' } : { code: hasSlot ? 'SLOT_YES' : 'SLOT_NO', places }

/** Returns the work of a miner by the counts of its snapshot. */
export const workOf = (publications: {
  readonly published: number
  readonly refused: number
  readonly late?: number | undefined
  readonly missed: number
  readonly included: number
}): WorkCounts => ({
  offered: publications.published + publications.refused,
  signed: publications.published,
  tooLate: publications.late ?? 0,
  leftOut: publications.missed,
  inBlocks: publications.included,
})

/** Returns the facts that a miner knows by itself; those that were not read are unknown. */
export function shareFactsOf({
  snapshot,
  slot,
  nowMs,
}: {
  readonly snapshot: Pick<MiningSnapshot, 'stakes' | 'balance' | 'publications' | 'connected'>
  readonly slot: ShareFacts['slot']
  /** Unix milliseconds. */
  readonly nowMs: number
}): ShareFacts | null {
  const { stakes, balance, publications, connected } = snapshot
  const token = stakes?.token ?? null
  if (token === null) return null
  const { symbol, decimals, minimumStake, maximumStake } = token
  const sinceMs = connected.sinceMs === null ? 0 : Math.max(0, nowMs - connected.sinceMs)
  return {
    token: { symbol, decimals },
    balance: balance?.amount ?? NOT_ANSWERED,
    minimumStake,
    maximumStake: maximumStake === undefined ? NOT_ANSWERED : maximumStake,
    work: workOf(publications),
    onlineMs: connected.beforeMs + sinceMs,
    slot,
  }
}

const times = (tenths: bigint): string =>
  tenths % 10n === 0n ? String(tenths / 10n) : `${tenths / 10n}.${tenths % 10n}`

/** Returns a duration in words: minutes, hours or days. */
function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1_440)} days`
}

const placesText = (places: TokenSlot['places']): string =>
  places === null ? '' : ` The network keeps ${places.count} places of ${places.size} microblocks each.`

/** Says one reason in English, for somebody who does not know how mining works. */
export function shareSentence(part: SharePart, { symbol, decimals }: ShareFacts['token']): string {
  const coins = (units: bigint): string => `${formatAmount(units, { decimals })} ${symbol}`
  switch (part.code) {
    case 'STAKE_UNKNOWN':
      return `How much of the stake counts is not known: ${part.why}.`
    case 'STAKE_BELOW':
      return `The stake of ${coins(part.have)} is too small to mine: at least ${coins(part.least)} have to be in the account. ${coins(part.missing)} are missing, and until then nothing is earned.`
    case 'STAKE_FULL':
      return `The stake is ${coins(part.have)}, and no more than ${coins(part.most)} count: a larger stake earns no more.`
    case 'STAKE_PART':
      return `The stake is ${coins(part.have)}, and up to ${coins(part.most)} count: another miner can get up to ${times(part.tenths)} times as much for the same block.`
    case 'STAKE_COUNTS':
      return `The stake is ${coins(part.have)}, and all of it counts: another miner with twice as much gets twice as much for the same block.`
    case 'WORK_UNKNOWN':
      return `How many microblocks were offered and signed is not known: ${part.why}.`
    case 'WORK_NONE':
      return 'Since it was started the network has offered it no microblock, which is a small block to sign: the network draws miners at random.'
    case 'WORK':
      return `Since it was started the network has offered it ${part.offered} microblocks, which are small blocks to sign. Signed: ${part.signed}. Too late to be signed: ${part.tooLate}. Signed but left out of the blocks: ${part.leftOut}. In blocks, and only these are paid: ${part.inBlocks}.`
    case 'ONLINE_UNKNOWN':
      return `For how long it was connected is not known: ${part.why}.`
    case 'ONLINE':
      return `It was connected for ${durationText(part.ms)} since it was started; the network offers microblocks only to connected miners.`
    case 'SLOT_UNKNOWN':
      return `Whether ${symbol} has a place of its own is not known: the network does not report it.`
    case 'SLOT_YES':
      return `${symbol} has a place of its own in each block: some microblocks are reserved for its miners.${placesText(part.places)}`
    case 'SLOT_NO':
      return `${symbol} has no place of its own in the blocks: its miners share the open places with the miners of all tokens.${placesText(part.places)}`
  }
}
