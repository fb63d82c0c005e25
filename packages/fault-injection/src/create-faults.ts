import { NodeError } from '@hailstone/protocol'
import { createFaultEngine, type FaultClock, type Fired } from './fault-engine.ts'
import type { FaultScript } from './fault-script.ts'
import { createHttpFaults, type FaultPool, type HttpFaultLayer, type OtherNodes } from './http-faults.ts'
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
  /** Ends the script. Connections that it hurt stay as they are. */
  readonly clear: () => void
  /** Returns the script in use; null without one. */
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

/** Returns how far behind the nodes are that the rules of a script answer as. */
const nodesOf = ({ rules }: FaultScript): ReadonlySet<number> =>
  new Set(
    rules.flatMap((rule) =>
      rule.on === 'api' && rule.fault.otherNode !== undefined ? [rule.fault.otherNode.blocksBehind] : [],
    ),
  )

function assertNoOtherNode({ rules }: FaultScript): void {
  const at = rules.findIndex((rule) => rule.on === 'api' && rule.fault.otherNode !== undefined)
  if (at === -1) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: `rules[${at}].fault.otherNode`,
    expected: 'used with a server that can answer as another node, such as a local network',
    found: 'a server that cannot',
  })
}

/**
 * Creates the faults of a network; without a script there are none.
 *
 * @param clock measures delays and the time windows of rules
 * @param pool loses transactions where a rule says so
 * @param otherNodes answer where a rule says so. @default none, and scripts with such rules are refused
 */
export function createFaults(
  clock: FaultClock,
  pool: FaultPool,
  otherNodes?: OtherNodes | undefined,
): FaultLayers {
  const engine = createFaultEngine(clock)
  return {
    control: {
      set(value) {
        const script = parseFaultScript(value)
        if (otherNodes === undefined) assertNoOtherNode(script)
        engine.set(script)
        otherNodes?.keep(nodesOf(script))
      },
      clear() {
        engine.clear()
        otherNodes?.keep(new Set())
      },
      script: engine.script,
      fired: engine.fired,
    },
    http: createHttpFaults(engine, pool, otherNodes),
    socket: createSocketFaults(engine),
    later: engine.later,
    wait: engine.wait,
    stop: engine.stop,
  }
}
