import type { Address } from '@hailstone/protocol'
import type { FleetListener } from './fleet-events.ts'
import type { FleetHealth, FleetNodeView } from './fleet-health.ts'

/** Many miners in one process. Whoever started it stops it. */
export type Fleet = AsyncDisposable & {
  /**
   * Reads the keys and begins to mine with each, a bounded number at a time. Resolves when every node has begun:
   * an absent gateway or API is a state, not a failure, and an invalid key is refused without
   * ending the others.
   *
   * @throws {NodeError} `SIGNER_FAILED` when no signing thread can be started; what reading the keys throws
   */
  readonly start: () => Promise<void>
  /**
   * Ends every node, waits for what is in flight and leaves nothing that keeps the process alive. May be called
   * at any time and again; a fleet that was stopped is not started again.
   */
  readonly stop: () => Promise<void>
  /** Subscribes to the events of all nodes in one stream. Returns the unsubscribe function. */
  readonly subscribe: (listener: FleetListener) => () => void
  /** Returns the health of the fleet. Its amounts are bigints; `JSON.stringify` writes them as texts of units. */
  readonly health: () => FleetHealth
  /** Every node, in the order of the keys; in JSON as `health`. */
  readonly nodes: () => IterableIterator<FleetNodeView>
  /** Returns the node of an account; undefined if the fleet has none. */
  readonly node: (address: Address) => FleetNodeView | undefined
}
