import type { ClientCore } from '../client-core.ts'
import type { TransportAnswer } from './transport.ts'

/** An address that refuses for so long went back, in ms. */
const FORGOTTEN_AFTER_MS = 30_000
/** Longest time between two refusals that counts, in ms: silence says nothing. */
const LONGEST_COUNTED_MS = 5_000

/** Returns the height that an answer states, undefined for none. */
export const statedHeight = ({ height }: TransportAnswer): number | undefined =>
  height && /^\d{1,15}$/.test(height) ? Number(height) : undefined

/**
 * Remembers the height of an answer that was read and found valid. Each further GET requires it of the same address,
 * so a client of an address that several processes serve never sees an older state after a newer one. Nothing is
 * required of other addresses: one that states a wrong height has nobody refuse but itself.
 */
export function noteHeight({ memory }: ClientCore, answer: TransportAnswer): void {
  const { status, source = '' } = answer
  const height = statedHeight(answer)
  if (status !== 200 || height === undefined) return
  const seen = memory.seen.get(source)
  const isNews = seen === undefined || height > seen.height
  if (isNews || (height === seen.height && seen.refusedAt !== undefined))
    memory.seen = new Map(memory.seen).set(source, { height, refusedMs: 0 })
}

/** Counts a refusal of the height that is required of an address, and requires none any more after half a minute of them. */
export function noteRefusal({ memory, clock }: ClientCore, source: string = ''): void {
  const seen = memory.seen.get(source)
  if (seen === undefined) return
  const refusedAt = clock.monotonicMs()
  const passedMs = Math.min(refusedAt - (seen.refusedAt ?? refusedAt), LONGEST_COUNTED_MS)
  const refusedMs = seen.refusedMs + passedMs
  const next = new Map(memory.seen)
  if (refusedMs >= FORGOTTEN_AFTER_MS) next.delete(source)
  else next.set(source, { ...seen, refusedMs, refusedAt })
  memory.seen = next
}
