import type { RewardRow } from '@hailstone/react'
import type { RewardState } from '../engine/follow-rewards.ts'
import type { RewardRange } from '../engine/reward-store.ts'
import type { RewardCalls } from '../engine/stored-rewards.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Rewards of the weeks before: enough for every span of the chart. */
const COUNT = 230
const APART_MS = 103 * MINUTE_MS

const hashOf = (at: number): RewardRow['recordHash'] =>
  (at + 1).toString(16).padStart(64, '0') as RewardRow['recordHash']

/** Returns a reward of less than one or little more than one whole token, by its number. */
const amountOf = (at: number, whole: bigint): RewardRow['amount'] =>
  ((whole * BigInt(60 + ((at * 37) % 71))) / 100n || 1n) as RewardRow['amount']

/** Returns made-up rewards, oldest first, the newest of a few minutes ago. `whole`: units of one whole token. */
export function previewRewards(parameters: {
  readonly address: string
  readonly whole: bigint
  readonly nowMs: number
  /** @default as many as fill every chart */
  readonly count?: number | undefined
  /** Units of each reward. @default less than one or little more than one whole token */
  readonly each?: bigint | undefined
}): readonly RewardRow[] {
  const { address, whole, nowMs, count = COUNT, each } = parameters
  return Array.from({ length: count }, (_, at) => ({
    index: 2 * at,
    recordType: 'im',
    role: 'miner',
    amount: (each as RewardRow['amount'] | undefined) ?? amountOf(at, whole),
    recordHash: hashOf(at),
    microblockHash: hashOf(at),
    miner: address as NonNullable<RewardRow['miner']>,
    keyBlockHash: hashOf(at + COUNT),
    timeMs: nowMs - 4 * MINUTE_MS - (count - 1 - at) * APART_MS,
  }))
}

const sumOf = (rows: readonly RewardRow[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n)

/** The state of rewards of which none could be read. */
export const nothingRead: RewardState = {
  ...{
    first: 0,
    end: 0,
    counts: {},
    newestAtMs: null,
    isComplete: false,
    readBackToMs: null,
    hasBegun: false,
  },
  totals: { today: null, day: null, week: null, month: null, all: null },
  why: 'no answer',
}

/** Returns the state of rewards that were all read. */
export function rewardState(rows: readonly RewardRow[], nowMs: number): RewardState {
  const since = (timeMs: number): bigint => sumOf(rows.filter((row) => row.timeMs > timeMs))
  return {
    first: 0,
    end: rows.length,
    counts: rows.length === 0 ? {} : { miner: rows.length },
    newestAtMs: rows.at(-1)?.timeMs ?? null,
    isComplete: true,
    readBackToMs: 0,
    hasBegun: true,
    totals: {
      today: since(new Date(nowMs).setHours(0, 0, 0, 0)),
      day: since(nowMs - DAY_MS),
      week: since(nowMs - 7 * DAY_MS),
      month: since(nowMs - 30 * DAY_MS),
      all: sumOf(rows),
    },
    why: null,
  }
}

/** Returns the answers about rewards. */
export const rewardCalls = (rows: readonly RewardRow[]): RewardCalls => ({
  rewardRange: async ({ role, from, count }: RewardRange) =>
    rows.filter((row) => role === 'all' || row.role === role).slice(from, from + count),
  rewardByIndex: async (index) => rows.find((row) => row.index === index),
  rewardSums: async (timesMs) => timesMs.map((timeMs) => sumOf(rows.filter((row) => row.timeMs < timeMs))),
  minedDays: async (nowMs) =>
    Array.from({ length: 7 }, (_, at) => {
      const startMs = new Date(nowMs - (at + 1) * DAY_MS).setHours(0, 0, 0, 0)
      const own = rows.filter(({ timeMs }) => timeMs >= startMs && timeMs < startMs + DAY_MS)
      return { startMs, minutes: own.length === 0 ? 0 : 600, units: sumOf(own) }
    }),
})
