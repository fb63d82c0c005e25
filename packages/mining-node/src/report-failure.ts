import type { ClientCore } from '@hailstone/client'
import type { NodeError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'

/** Where the failures of one node are kept and emitted. */
export type FailurePlace = {
  readonly client: Pick<ClientCore, 'clock'>
  readonly store: WritableStore<MiningSnapshot>
  readonly events: EventHub
}

/** Keeps a failure as the last one, with what else it changes, and emits it. */
export function reportFailure(
  { client, store, events }: FailurePlace,
  error: NodeError,
  changes?: Partial<MiningSnapshot>,
): void {
  store.update({ ...changes, lastError: { error, atMs: client.clock.now() } })
  events.emit('failed', { error })
}

/** Returns a function that reports an API that does not name the native token. */
export const unknownToken =
  (place: FailurePlace) =>
  (error: NodeError<'NATIVE_TOKEN_UNKNOWN'>): void =>
    reportFailure(place, error, { api: { status: 'unreachable', why: error.facts.reason, error } })
