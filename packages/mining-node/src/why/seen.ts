import type { MinerOnline } from '@hailstone/client'
import { type Address, isNodeError } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'

/** Reason why nobody can say whether a miner is seen. */
export type UnseenReason =
  /** No API was named. */
  | 'noApi'
  /** The gateway was not hailed, so that there is nothing to be seen. */
  | 'notConnected'
  | 'notAsked'
  /** The node lists nobody at all: so does one without a database, or without this list. */
  | 'emptyList'
  | 'failed'

/** Whether the network lists a miner among those that it sees online, by `GET /poa_nodes_online`. */
export type Seen =
  | { readonly status: 'unknown'; readonly reason: UnseenReason }
  /**
   * @param online miners that are listed, this one among them
   * @param readAtMs time of that answer, Unix milliseconds; absent where it was asked for just now
   */
  | { readonly status: 'seen'; readonly online: number; readonly readAtMs?: number | undefined }
  /** Listed are `online` others. A claim of the answer, and no fact before it was repeated: see {@link isUnseen}. */
  | { readonly status: 'notSeen'; readonly online: number; readonly claim: Claim }

export const SEEN_UNKNOWN: Seen = { status: 'unknown', reason: 'notAsked' }

/** Answers in a row that have to leave a miner out, and the time between the first and the last one. */
const ANSWERS = 4
const OVER_MS = 300_000
/** Shortest time between two answers that are asked for, in ms. */
export const SEEN_EVERY_MS = 100_000
/** The list has a line for each miner of the network, of some 100 bytes: so it costs at most 0.15 MB an hour. */
const MS_FOR_EACH_LINE = 3_000

/** True if the network was found not to see a miner: by several answers, minutes apart. One answer is not the truth. */
export const isUnseen = (seen: Seen): boolean =>
  seen.status === 'notSeen' &&
  isProved(seen.claim, { answers: ANSWERS * seen.claim.sources.length, overMs: OVER_MS })

/** Returns the time to the next question for the list in ms: a long one is asked for seldom, unless a claim needs proof. */
export const seenAgainMs = (seen: Seen): number =>
  seen.status === 'unknown' || (seen.status === 'notSeen' && !isUnseen(seen))
    ? SEEN_EVERY_MS
    : Math.max(SEEN_EVERY_MS, seen.online * MS_FOR_EACH_LINE)

/**
 * Takes in a list of the miners online.
 *
 * @param answer.sources the API nodes that gave it
 * @param answer.atMs by a clock that does not jump
 * @param answer.readAtMs Unix milliseconds
 */
export function withList(
  before: Seen,
  answer: {
    readonly list: readonly Pick<MinerOnline, 'address'>[]
    readonly address: Address
    readonly sources: readonly string[]
    readonly atMs: number
    readonly readAtMs?: number | undefined
  },
): Seen {
  const { list, address, sources, atMs, readAtMs } = answer
  if (list.length === 0) return { status: 'unknown', reason: 'emptyList' }
  const online = list.length
  if (isListed(list, address)) return { status: 'seen', online, ...(readAtMs !== undefined && { readAtMs }) }
  const claim = before.status === 'notSeen' ? before.claim : null
  const next = sources.reduce<Claim | null>((all, source) => repeated(all, { source, atMs }), claim)
  return next === null ? before : { status: 'notSeen', online, claim: next }
}

/** Public servers list a key as it was hailed, in any case. */
export const isListed = (list: readonly Pick<MinerOnline, 'address'>[], address: Address): boolean =>
  list.some((miner) => miner.address.toLowerCase() === address.toLowerCase())

/**
 * Asks once whether a miner is listed. What fails, or lists nobody, is unknown.
 *
 * @throws the reason of the signal
 */
export async function readSeen(
  client: {
    /** Reads the miners that the network lists, as `client.getMinersOnline` does. */
    readonly getMinersOnline: (parameters: {
      readonly signal?: AbortSignal | undefined
    }) => Promise<readonly MinerOnline[]>
  },
  { address, signal }: { readonly address: Address; readonly signal?: AbortSignal | undefined },
): Promise<Seen> {
  try {
    const list = await client.getMinersOnline({ signal })
    return withList(SEEN_UNKNOWN, { list, address, sources: ['the API'], atMs: 0 })
  } catch (error) {
    if (isNodeError(error)) return { status: 'unknown', reason: 'failed' }
    throw error
  }
}

const reasons: { readonly [R in UnseenReason]: string } = {
  noApi: 'no API is set',
  notConnected: 'it is not connected to the network',
  notAsked: 'it was not asked yet',
  emptyList: 'the API lists no miner at all',
  failed: 'the API did not answer',
}

const minersText = (count: number): string => (count === 1 ? '1 miner' : `${count} miners`)

/** Says in one sentence whether the network sees a miner. */
export function seenSentence(seen: Seen): string {
  switch (seen.status) {
    case 'unknown':
      return `Whether the network sees this miner is not known: ${reasons[seen.reason]}.`
    case 'seen':
      return seen.online === 1
        ? 'The network sees this miner online, and no other one.'
        : `The network sees this miner: it is one of ${minersText(seen.online)} online.`
    case 'notSeen':
      return `The network does not list this miner among the ${minersText(seen.online)} that it sees online.`
  }
}
