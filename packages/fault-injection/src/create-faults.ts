import { createFaultEngine, type FaultClock, type Fired } from './fault-engine.ts'
import type { FaultScript } from './fault-script.ts'
import { createHttpFaults, type FaultPool, type HttpFaultLayer } from './http-faults.ts'
import { parseFaultScript } from './parse-fault-script.ts'
import { createSocketFaults, type SocketFaultLayer } from './socket-faults.ts'
import type { SocketTapOptions } from './socket-tap.ts'

/** Trouble on demand. Connections that were hurt stay hurt; the others are as good as new after `clear`. */
export type NetworkFaults = {
  /**
   * Begins a script; counters, log and random numbers begin anew with it.
   *
   * @throws {NodeError} `CONFIGURATION_INVALID` with the path of the first thing that is wrong
   */
  readonly set: (script: FaultScript) => void
  readonly clear: () => void
  readonly script: () => FaultScript | null
  /**
   * Returns the faults applied since the script was set; the same for the same seed and the same order of requests.
   */
  readonly fired: () => readonly Fired[]
}

/** Faults of one network: their control, where a server puts them in, and the timers that `stop` ends. */
export type FaultLayers = {
  readonly control: NetworkFaults
  readonly http: HttpFaultLayer
  readonly socket: SocketFaultLayer
  readonly later: SocketTapOptions['later']
  readonly wait: (delayMs: number) => Promise<void>
  readonly stop: () => void
}

/**
 * Creates the faults of a network; without a script there are none.
 *
 * @param clock measures delays and the time windows of rules
 * @param pool loses transactions where a rule says so
 */
export function createFaults(clock: FaultClock, pool: FaultPool): FaultLayers {
  const engine = createFaultEngine(clock)
  return {
    control: {
      set: (script) => engine.set(parseFaultScript(script)),
      clear: engine.clear,
      script: engine.script,
      fired: engine.fired,
    },
    http: createHttpFaults(engine, pool),
    socket: createSocketFaults(engine),
    later: engine.later,
    wait: engine.wait,
    stop: engine.stop,
  }
}
