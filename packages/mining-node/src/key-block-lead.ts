import type { Hash } from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { hostsOf } from './api-view.ts'

/** The key blocks that verified beacons named, compared with what the API shows. Times by a clock that does not jump. */
export type KeyBlockLead = {
  /** Different ones that were named since the height of the API last changed, and that it did not show, oldest first. */
  readonly named: readonly Hash[]
  /** That they were named, counted once for each. */
  readonly claim: Claim | null
  /** Named and not shown by the API yet, oldest first. */
  readonly unshown: readonly { readonly hash: Hash; readonly atMs: number }[]
  /** True once the API showed one after it was named. */
  readonly hasShown: boolean
  /** Macroblocks that the API showed since one was last named. */
  readonly shownSince: number
}

export const NO_LEAD: KeyBlockLead = { named: [], claim: null, unshown: [], hasShown: false, shownSince: 0 }

/**
 * Key blocks that are remembered until they are shown, and macroblocks after which those that were named before them are not
 * awaited any more: a fork took them, or they were skipped after a pause.
 */
const KEPT = 64
/** Key blocks after which one that is named too soon, or on a fork, is no explanation. */
const ENOUGH = 4
/** An API shows a key block within this time, or four blocks, after it was named. */
const LATE_MS = 60_000
/** Proof that an API which showed none of the key blocks is behind. It takes longer: the two may be of different chains. */
const NEVER_SHOWN = { answers: 8, overMs: 150_000 }

/**
 * Counts a key block that was not named before. Gateways that change at different moments name two in turn.
 *
 * @param isShown true if the API has it already
 */
export function withNamed(
  lead: KeyBlockLead,
  { keyBlockHash: hash, atMs, isShown }: { keyBlockHash: Hash; atMs: number; isShown: boolean },
): KeyBlockLead {
  const { named, claim, unshown } = lead
  const isCounted = isShown || named.includes(hash)
  const isKnown = isShown || unshown.some((one) => one.hash === hash)
  return {
    ...lead,
    named: isCounted ? named : [...named, hash].slice(-KEPT),
    claim: isCounted ? claim : repeated(claim, { source: '', atMs }),
    unshown: isKnown ? unshown : [...unshown, { hash, atMs }].slice(-KEPT),
    shownSince: 0,
  }
}

/** The height of the API changed. */
export const withGrowth = (lead: KeyBlockLead): KeyBlockLead => ({ ...lead, named: [], claim: null })

/** The API shows a macroblock, and with it those below. */
export function withShown(lead: KeyBlockLead, shown: Hash): KeyBlockLead {
  const at = lead.unshown.findIndex(({ hash }) => hash === shown)
  const shownSince = lead.shownSince + 1
  const unshown = shownSince < KEPT ? lead.unshown.slice(at + 1) : []
  return { ...lead, unshown, hasShown: lead.hasShown || at >= 0, shownSince }
}

/** Says that the gateway is ahead of an API node; null while it is not. */
export function behindOf(
  { claim, unshown, hasShown }: KeyBlockLead,
  { blockTimeMs, source }: { readonly blockTimeMs: number; readonly source: string },
): string | null {
  const api = `The API at ${hostsOf([source])}`
  if (isProved(claim, { answers: ENOUGH, overMs: 2 * blockTimeMs }))
    return `${api} stands still: beacons name key blocks that it does not know.`
  const [first, last] = [unshown[0], unshown.at(-1)]
  if (first === undefined || last === undefined) return null
  const named = { answers: unshown.length, sinceMs: first.atMs, lastMs: last.atMs, sources: [] }
  const isLate = isProved(named, { answers: ENOUGH, overMs: Math.max(LATE_MS, ENOUGH * blockTimeMs) })
  return (hasShown && isLate) || isProved(named, NEVER_SHOWN)
    ? `${api} is behind: beacons name key blocks long before it shows them.`
    : null
}
