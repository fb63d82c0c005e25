// A fleet of honest miners in a process of its own.

import { createFleet, type Fleet } from '@hailstone/mining-node/fleet'
import { sha256Hex } from '@hailstone/protocol'
import { answerParent } from './child.ts'
import { cpuMs } from './process-figures.ts'

export type FleetFigures = {
  /** Nodes that have introduced themselves and wait for a beacon, or have one. */
  readonly online: number
  /** Connections that were lost since the start. */
  readonly lost: number
  /** Processor time of this process since the start, in ms. */
  readonly cpuMs: number
}

let fleet: Fleet | undefined
let lost = 0

answerParent({
  start({
    gatewayUrl,
    tokenId,
    count,
  }: {
    readonly gatewayUrl: string
    readonly tokenId: string
    readonly count: number
  }): void {
    const keys = function* (): Iterable<string> {
      for (let at = 0; at < count; at++) yield sha256Hex(`key ${at} of an honest fleet`)
    }
    fleet = createFleet({ keys, gatewayUrl, tokenId, signingThreads: 0 })
    fleet.subscribe(({ type }) => {
      if (type === 'disconnected') lost++
    })
    void fleet.start()
  },
  figures(): FleetFigures {
    const { nodes } = fleet?.health() ?? { nodes: { waitingForBeacon: 0, mining: 0 } }
    return { online: nodes.waitingForBeacon + nodes.mining, lost, cpuMs: cpuMs() }
  },
})
