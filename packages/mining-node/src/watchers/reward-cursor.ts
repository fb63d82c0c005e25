import { type Amount, type Hash, type JsonValue, stringifyJson, type TokenId } from '@hailstone/protocol'
import { membersOf } from './balance-cursor.ts'
import type { RewardLine } from './explain-reward.ts'
import type { Reward, RewardRole } from './reward.ts'

/** A line of a history that was seen, with the reward that was handed out for it. */
export type SeenLine = {
  readonly line: RewardLine
  /** Null for a line that was there before the watch began. */
  readonly reward: Reward | null
}

/** How far a watch of rewards came. */
export type RewardCursor = {
  /** Running number of the last line; -1 for an empty history. */
  readonly index: number
  /** Of the newest macroblock that a line can be of; null when that was not known. */
  readonly height: number | null
  /** Lines up to this number are of macroblocks that were seen; newer ones were read ahead of them. */
  readonly settledIndex: number
  /** Lines up to this number are older than all that are remembered. */
  readonly floor: number
  /** The newest lines above the floor, oldest first: what a reorganisation takes back is found among them. */
  readonly seen: readonly SeenLine[]
}

/** Lines that can be taken back. */
const SEEN_KEPT = 128

/** The same running number is used again after a reorganisation, for something else. */
export const isSameLine = (one: RewardLine, other: RewardLine): boolean =>
  one.index === other.index &&
  one.hash === other.hash &&
  one.recordType === other.recordType &&
  one.amount === other.amount &&
  one.time === other.time

export function withLine(cursor: RewardCursor, seen: SeenLine): RewardCursor {
  const all = [...cursor.seen, seen]
  const forgotten = all.length > SEEN_KEPT ? all[0] : undefined
  return {
    ...cursor,
    index: seen.line.index,
    floor: forgotten?.line.index ?? cursor.floor,
    seen: forgotten === undefined ? all : all.slice(1),
  }
}

/** Without its newest line. @param common the highest number that the history still has in common with it */
export function withoutLine(cursor: RewardCursor, common: number): RewardCursor {
  const seen = cursor.seen.slice(0, -1)
  const floor = Math.min(cursor.floor, common)
  return { ...cursor, seen, floor, index: seen.at(-1)?.line.index ?? floor }
}

const lineJson = ({ index, recordType, amount, hash, time }: RewardLine): JsonValue => ({
  index: BigInt(index),
  recordType,
  amount: amount.toString(),
  hash,
  time: BigInt(time),
})

export const formatRewardCursor = ({ index, height, settledIndex, floor, seen }: RewardCursor): string =>
  stringifyJson({
    version: 1,
    index: BigInt(index),
    height: height === null ? null : BigInt(height),
    settledIndex: BigInt(settledIndex),
    floor: BigInt(floor),
    seen: seen.map(({ line, reward }) => ({
      line: lineJson(line),
      reward:
        reward === null
          ? null
          : {
              role: reward.role,
              tokenId: reward.tokenId,
              height: reward.height === null ? null : BigInt(reward.height),
              source: reward.source,
              readAtMs: BigInt(Math.round(reward.readAtMs)),
            },
    })),
  })

type Members = { readonly [name: string]: unknown }

/** What is not of this form was not written by this version. */
class NotWrittenHere extends Error {}

const objectIn = (value: unknown): Members => {
  if (typeof value === 'object' && value !== null) return value as Members
  throw new NotWrittenHere()
}
const wholeIn = (value: unknown): number => {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value)
  throw new NotWrittenHere()
}
const wholeOrNullIn = (value: unknown): number | null => (value === null ? null : wholeIn(value))
const textIn = <T extends string>(value: unknown): T => {
  if (typeof value === 'string' && value.length <= 200) return value as T
  throw new NotWrittenHere()
}

function lineIn(value: unknown): RewardLine {
  const { index, recordType, amount, hash, time } = objectIn(value)
  const units = textIn(amount)
  if (!/^\d{1,20}$/.test(units)) throw new NotWrittenHere()
  return {
    index: wholeIn(index),
    recordType: textIn(recordType),
    amount: BigInt(units) as Amount,
    hash: textIn<Hash>(hash),
    time: wholeIn(time),
  }
}

function seenIn(value: unknown): SeenLine {
  const { line: wire, reward } = objectIn(value)
  const line = lineIn(wire)
  if (reward === null) return { line, reward: null }
  const { role, tokenId, height, source, readAtMs } = objectIn(reward)
  const { index, recordType, amount, hash: blockHash, time } = line
  return {
    line,
    reward: {
      ...{ index, recordType, amount, blockHash, time },
      role: textIn<RewardRole>(role),
      tokenId: tokenId === null ? null : textIn<TokenId>(tokenId),
      height: wholeOrNullIn(height),
      source: textIn(source),
      readAtMs: wholeIn(readAtMs),
    },
  }
}

/** Null for what this version did not write: then the watch begins as it was told to. */
export function parseRewardCursor(text: string | null): RewardCursor | null {
  const { index, height, settledIndex, floor, seen } = membersOf(text)
  if (!Array.isArray(seen)) return null
  try {
    return {
      index: wholeIn(index),
      height: wholeOrNullIn(height),
      settledIndex: wholeIn(settledIndex),
      floor: wholeIn(floor),
      seen: seen.map(seenIn),
    }
  } catch (error) {
    if (error instanceof NotWrittenHere) return null
    throw error
  }
}
