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
