import type { Hash } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { hostsOf } from './api-view.ts'
import { ABSENT } from './watchers/not-there.ts'

/** The key blocks that verified beacons named, compared with what the API shows. Times by a clock that does not jump. */
export type KeyBlockLead = {
  /** Named since the height of the API last changed. */
  readonly newest: Hash | undefined
  readonly claim: Claim | null
  /** Named and not shown by the API yet, oldest first. */
  readonly unshown: readonly { readonly hash: Hash; readonly atMs: number }[]
  /** Shown late in a row, each as the newest macroblock. */
  readonly late: number
}

export const NO_LEAD: KeyBlockLead = { newest: undefined, claim: null, unshown: [], late: 0 }

/** Key blocks that are remembered until they are shown. */
const KEPT = 64
/** A macroblock is shown within this time, or four blocks, after its key block was named. */
const LATE_MS = 60_000
const LATE_BLOCKS = 4
/** Key blocks after which one that is named too soon, or on a fork, is no explanation. */
const ENOUGH = 4

/** Counts a key block that was not the newest before. @param isShown true if the API has it already */
export function withNamed(
  lead: KeyBlockLead,
  { keyBlockHash: hash, atMs, isShown }: { keyBlockHash: Hash; atMs: number; isShown: boolean },
): KeyBlockLead {
  const { newest, unshown } = lead
  const isKnown = isShown || unshown.some((one) => one.hash === hash)
  return {
    ...lead,
    newest: hash,
    claim: newest === hash ? lead.claim : repeated(lead.claim, { source: '', atMs }),
    unshown: isKnown ? unshown : [...unshown, { hash, atMs }].slice(-KEPT),
  }
}

/** The height of the API changed. */
export const withGrowth = (lead: KeyBlockLead): KeyBlockLead => ({ ...lead, newest: undefined, claim: null })

/** The API shows a macroblock. @param isNewest false while it catches up */
export function withShown(
  lead: KeyBlockLead,
  shown: {
    readonly hash: Hash
    readonly atMs: number
    readonly isNewest: boolean
    readonly blockTimeMs: number
  },
): KeyBlockLead {
  const at = lead.unshown.findIndex(({ hash }) => hash === shown.hash)
  const named = lead.unshown[at]
  if (named === undefined) return lead
  const isLate = shown.atMs - named.atMs > Math.max(LATE_MS, LATE_BLOCKS * shown.blockTimeMs)
  const late = isLate ? lead.late + (shown.isNewest ? 1 : 0) : 0
  return { ...lead, unshown: lead.unshown.slice(at + 1), late }
}

/** Says that the gateway is ahead of an API node; null while it is not. */
export function behindOf(
  { claim, unshown, late }: KeyBlockLead,
  { blockTimeMs, source }: { readonly blockTimeMs: number; readonly source: string },
): string | null {
  const api = `The API at ${hostsOf([source])}`
  if (isProved(claim, { answers: ENOUGH, overMs: 2 * blockTimeMs }))
    return `${api} stands still: beacons name key blocks that it does not know.`
  const [first, last] = [unshown[0], unshown.at(-1)]
  const isAbsent =
    unshown.length >= ABSENT.answers && (last?.atMs ?? 0) - (first?.atMs ?? 0) >= (ABSENT.overMs ?? 0)
  return isAbsent || late >= ENOUGH
    ? `${api} is behind: it shows key blocks long after beacons named them.`
    : null
}
