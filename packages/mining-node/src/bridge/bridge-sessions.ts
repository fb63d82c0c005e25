import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type LogFields, systemClock } from '@hailstone/client'
import type { WebSocket } from 'ws'
import type { Admission, BridgeRefusal } from './admission.ts'
import type { BridgeCounts } from './bridge-counts.ts'
import { type BridgeServer, handshake, refuse } from './bridge-server.ts'
import type { BridgeLimits } from './bridge-settings.ts'
import type { Gateways, Opened } from './open-gateway.ts'
import { type Relay, relay } from './relay.ts'

const GOING_AWAY = 1001

/** The clients of a bridge, each with its gateway. */
export type BridgeSessions = {
  /** Opens the session of a client, or refuses it; resolves when it is over. */
  readonly admit: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>
  readonly size: () => number
  readonly isDraining: () => boolean
  readonly ping: () => void
  /** Refuses new clients and asks the others to go elsewhere; resolves when they are gone, at the latest after the grace. */
  readonly drain: (graceMs: number) => Promise<void>
  /** Ends the sessions that are left. */
  readonly end: () => Promise<void>
}

export function createSessions({
  gateways,
  admission,
  limits,
  counts,
  connections,
  clients,
  log,
}: Pick<BridgeServer, 'connections' | 'clients'> & {
  readonly gateways: Gateways
  readonly admission: Admission
  readonly limits: BridgeLimits
  readonly counts: BridgeCounts
  readonly log: (level: 'debug' | 'warn', message: string, fields: LogFields) => void
}): BridgeSessions {
  const relays = new Set<Relay>()
  const now = systemClock.monotonicMs
  let isDraining = false

  const turnAway = (socket: Duplex, why: BridgeRefusal): void => {
    counts.refused(why)
    refuse(socket, why)
    log('debug', 'bridge refused', { why })
  }
  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = isDraining ? 'draining' : admission.judge(request)
    if (refusal !== undefined) return turnAway(socket, refusal)
    const order = gateways.orderFor(request.url)
    if (order.length === 0) return turnAway(socket, 'unknown_gateway')
    const address = admission.addressOf(request)
    admission.enter(address)
    connections.keep(request.socket)
    try {
      const gateway = await gateways.openOneOf(order, socket)
      // The end of a client that went away meanwhile was emitted already: waiting for it would never end.
      if (socket.destroyed) return gateway?.socket.terminate()
      if (gateway === undefined) return turnAway(socket, 'gateway_failed')
      await carry(gateway, socket, await handshake(clients, request, socket, head))
    } finally {
      admission.leave(address)
    }
  }

  async function carry(gateway: Opened, line: Duplex, client: WebSocket | undefined): Promise<void> {
    if (client === undefined || isDraining) {
      gateway.socket.terminate()
      client?.close(GOING_AWAY)
      return
    }
    const pair = relay({ client, line, gateway: gateway.socket, limits, counts, now })
    gateway.release()
    relays.add(pair)
    counts.opened()
    await pair.closed
    relays.delete(pair)
  }

  return {
    admit,
    size: () => relays.size,
    isDraining: () => isDraining,
    ping: () => {
      for (const pair of relays) pair.ping()
    },
    drain: async (graceMs) => {
      isDraining = true
      for (const pair of relays) pair.close(GOING_AWAY, 'the bridge ends')
      const leaving = new AbortController()
      await Promise.race([
        Promise.all([...relays].map((pair) => pair.closed)),
        systemClock.sleep(graceMs, leaving.signal).catch(() => undefined),
      ])
      leaving.abort()
    },
    end: async () => {
      const left = [...relays]
      for (const pair of left) pair.terminate()
      await Promise.all(left.map((pair) => pair.closed))
      relays.clear()
    },
  }
}
