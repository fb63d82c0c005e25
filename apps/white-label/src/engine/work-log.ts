import type { Amount, Hash, Reward, StopReason, WaitReason } from '@hailstone/mining-node'
import type { AccountNode } from './account-node.ts'

type Entry<Kind extends string, Facts = unknown> = {
  readonly kind: Kind
  readonly atMs: number
} & Readonly<Facts>

/** Identity of a reward; the same one is reported again after the chain was read again. */
type RewardId = string

/** One event of the work log. */
export type WorkEntry =
  | Entry<'started'>
  /** `gateway` is missing in entries of earlier versions. */
  | Entry<'connected', { gateway?: string }>
  | Entry<'published', { microblockHash: Hash; agent: string | null }>
  | Entry<'included', { microblockHash: Hash; height: number; reward: Amount | null }>
  | Entry<
      'rewarded',
      { reward: RewardId; amount: Amount; height: number | null; isReferral: boolean; isThisToken: boolean }
    >
  | Entry<'refused', { microblockHash: Hash; why: string }>
  | Entry<'disconnected', { reason: WaitReason['kind']; delayMs: number }>
  | Entry<'stopped', { reason: StopReason }>
  | Entry<'paused', { reason: string }>
  /** The device or the browser suspended the app. */
  | Entry<'gap', { fromMs: number }>

/** An entry without its time; distributes over the union. */
type NewWorkEntry = WorkEntry extends infer One ? (One extends WorkEntry ? Omit<One, 'atMs'> : never) : never

const LOG_LENGTH = 200

export type WorkLog = {
  readonly entries: () => readonly WorkEntry[]
  readonly add: (entry: NewWorkEntry) => void
}

/** Creates the log of the last `LOG_LENGTH` events, newest first. */
export function createWorkLog(parameters: {
  readonly kept: readonly WorkEntry[]
  readonly onChange: (entries: readonly WorkEntry[]) => void
}): WorkLog {
  let entries = parameters.kept
  return {
    entries: () => entries,
    add: (entry) => {
      entries = [{ ...entry, atMs: Date.now() } as WorkEntry, ...entries].slice(0, LOG_LENGTH)
      parameters.onChange(entries)
    },
  }
}

/** Subscribes the log to the events of a node. */
export function logNode(node: AccountNode, log: WorkLog, agent: string | null): void {
  const { tokenId } = node.snapshot()
  node.on('started', () => log.add({ kind: 'started' }))
  node.on('connected', ({ url }) => log.add({ kind: 'connected', gateway: url }))
  node.on('published', ({ microblockHash }) => log.add({ kind: 'published', microblockHash, agent }))
  node.on('included', ({ microblockHash, height, reward }) =>
    log.add({ kind: 'included', microblockHash, height, reward }),
  )
  node.on('beaconRefused', ({ microblockHash, why }) => log.add({ kind: 'refused', microblockHash, why }))
  node.on('disconnected', ({ reason, delayMs }) =>
    log.add({ kind: 'disconnected', reason: reason.kind, delayMs }),
  )
  node.on('stopped', ({ reason }) => log.add({ kind: 'stopped', reason }))
  const rewarded = (reward: Reward, isReferral: boolean): void => {
    const { amount, height, tokenId: paid, recordType, recordHash } = reward
    const id = `${recordType} ${recordHash}`
    if (log.entries().some((entry) => entry.kind === 'rewarded' && entry.reward === id)) return
    log.add({ kind: 'rewarded', reward: id, amount, height, isReferral, isThisToken: paid === tokenId })
  }
  node.on('rewarded', (reward) => rewarded(reward, false))
  node.on('referralRewarded', (reward) => rewarded(reward, true))
}
