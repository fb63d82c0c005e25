import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { type Child, startChild } from '../child.ts'
import type { FleetFigures } from '../fleet-process.ts'
import type { HonestFigures } from '../flood/honest-process.ts'
import type { NetworkAccess } from '../flood/network-process.ts'
import { figuresOf, openFilesLimit } from '../process-figures.ts'

const MAX_NODES = 10_000
/** Of the open files of one process; the gateway keeps a third of its own for the API. */
const SHARE = 0.6
const LOOK_EVERY_MS = 250
const LONGEST_JOIN_MS = 120_000
/** A request that began at the end is settled by then. */
const DEADLINE_MS = 10_500

/** Not an attack: what bounds attackers must let a large fleet through, also from one address. */
export const honestFleet: Attack = {
  name: 'honest-fleet',
  row: 'A-7',
  what: `a fleet of up to ${MAX_NODES} honest miners joins from one address`,
  async run(context) {
    const { onEnd, say } = context
    const count = Math.min(MAX_NODES, Math.floor(SHARE * openFilesLimit()))
    const network = startChild('flood/network-process')
    onEnd(network.end)
    const access = await network.ask<NetworkAccess>('start', { blockTimeMs: 15_000 })
    // With a miner that has stake nobody else is offered anything, so no node publishes what it may not.
    const honest = startChild('flood/honest-process')
    onEnd(honest.end)
    await honest.ask('start', access)
    const before = figuresOf(network.pid)
    const fleet = startChild('fleet-process')
    onEnd(fleet.end)
    const fromMs = Date.now()
    await fleet.ask('start', { gatewayUrl: access.gatewayUrl, tokenId: access.nativeTokenId, count })
    const joined = await join(fleet, count, context)
    const untilMs = Date.now()
    const after = figuresOf(network.pid)
    say(`${joined.online} of ${count} nodes are online after ${(untilMs - fromMs) / 1000} s`)
    await sleep(DEADLINE_MS, undefined, { signal: context.signal })
    const { p99Ms } = await honest.ask<HonestFigures>('between', { fromMs, untilMs })
    const { online, lost } = await fleet.ask<FleetFigures>('figures')
    return [
      { name: 'nodes online', value: joined.online, unit: '', atLeast: count },
      { name: 'until all are online', value: (untilMs - fromMs) / 1000, unit: 's' },
      { name: 'processor time of the fleet', value: joined.cpuMs / 1000, unit: 's' },
      { name: 'nodes online ten seconds later', value: online, unit: '', atLeast: count },
      { name: 'connections lost', value: lost, unit: '', atMost: 0 },
      { name: 'API p99 meanwhile', value: p99Ms, unit: 'ms', atMost: 1000 },
      {
        name: 'memory of the network for each',
        value: ((after.residentMegabytes - before.residentMegabytes) * 1024) / count,
        unit: 'kB',
      },
    ] satisfies Figure[]
  },
}

async function join(fleet: Child, count: number, { signal }: AttackContext): Promise<FleetFigures> {
  const deadline = Date.now() + LONGEST_JOIN_MS
  for (;;) {
    const figures = await fleet.ask<FleetFigures>('figures')
    if (figures.online >= count || Date.now() > deadline) return figures
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}
