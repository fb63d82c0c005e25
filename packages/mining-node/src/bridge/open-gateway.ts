import type { Duplex } from 'node:stream'
import { throughProxy } from '@hailstone/runtime/node'
import type { WebSocket } from 'ws'
import type { Ws } from '../node/load-ws.ts'
import { inTurn, NO_FAILURES, nextTurn, noted, pauseAfter, type Upstreams } from './upstreams.ts'

/** Part of the health of a bridge that is about its gateways. */
export type UpstreamHealth = {
  /** A sentence about gateways that do not answer, and whether others take their sessions; '' while all do. */
  readonly why: string
  /** The gateways by host and port, and whether the last attempt with each failed. */
  readonly upstreams: readonly { readonly host: string; readonly isFailing: boolean }[]
}

export type Opened = {
  readonly socket: WebSocket
  /** Delivers the messages that arrived meanwhile to the listeners registered by now. */
  readonly release: () => void
}

/** The gateways of a bridge. */
export type Gateways = {
  /** `/` takes them in turns; `/?gateway=host:port` asks for one of those that are listed. */
  readonly orderFor: (target: string | undefined) => readonly URL[]
  /** Opens the first one that answers; undefined if none does, or if the client went away meanwhile. */
  readonly openOneOf: (order: readonly URL[], client: Duplex) => Promise<Opened | undefined>
  /** False while the last attempt with each of them failed. */
  readonly isAnyLeft: () => boolean
  readonly health: () => UpstreamHealth
  readonly stop: () => void
}

type OpenLimits = { readonly openMs: number; readonly gatewayFrameBytes: number }

/**
 * Chooses and opens gateways. One that does not answer comes last from then on, and is tried again beside the
 * sessions, so that no client has to wait for it.
 */
export function createGateways(parameters: {
  readonly ws: Ws
  readonly upstreams: readonly URL[]
  readonly limits: OpenLimits
}): Gateways {
  const { ws, upstreams, limits } = parameters
  let known: Upstreams = NO_FAILURES
  let isStopped = false
  const trials = new Map<string, NodeJS.Timeout>()
  const isFailing = ({ host }: URL): boolean => known.failures.has(host)

  function note(url: URL, hasAnswered: boolean): void {
    known = noted(known, url, hasAnswered)
    clearTimeout(trials.get(url.host))
    const failures = known.failures.get(url.host)
    if (failures === undefined || isStopped) return
    const trial = setTimeout(() => void tryAgain(url), pauseAfter(failures))
    trials.set(url.host, trial.unref())
  }

  async function tryAgain(url: URL): Promise<void> {
    const gateway = await openGateway(ws, url, limits)
    gateway?.socket.terminate()
    note(url, gateway !== undefined)
  }

  async function openOneOf(order: readonly URL[], client: Duplex): Promise<Opened | undefined> {
    for (const url of order) {
      const gateway = await openGateway(ws, url, limits, client)
      if (gateway === undefined && client.destroyed) return undefined
      note(url, gateway !== undefined)
      if (gateway !== undefined) return gateway
    }
    return undefined
  }

  return {
    orderFor: (target = '/') => {
      const wished = new URL(target, 'ws://bridge').searchParams.get('gateway')
      if (wished !== null) return upstreams.filter(({ host }) => host === wished.toLowerCase())
      const order = inTurn(upstreams, known)
      known = nextTurn(known)
      return order
    },
    openOneOf,
    isAnyLeft: () => !upstreams.every(isFailing),
    health: () => ({
      why: whyOf(upstreams.filter(isFailing), upstreams.length),
      upstreams: upstreams.map((url) => ({ host: url.host, isFailing: isFailing(url) })),
    }),
    stop: () => {
      isStopped = true
      for (const trial of trials.values()) clearTimeout(trial)
    },
  }
}

function whyOf(failing: readonly URL[], all: number): string {
  if (failing.length === 0) return ''
  const others = failing.length < all ? ' The others take its sessions.' : ''
  return `${failing.length} of ${all} gateways do not answer: ${failing.map(({ host }) => host).join(', ')}.${others}`
}

/**
 * Opens the gateway before the client is let in, so that a client learns at once that it cannot be reached. A client that goes
 * away meanwhile ends the attempt.
 */
function openGateway(
  { WebSocket }: Ws,
  url: URL,
  { openMs, gatewayFrameBytes }: { readonly openMs: number; readonly gatewayFrameBytes: number },
  client?: Duplex,
): Promise<Opened | undefined> {
  const options = {
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: openMs,
    maxPayload: gatewayFrameBytes,
  }
  const socket = new WebSocket(url, { ...options, ...(throughProxy(url) as object) })
  const giveUp = () => socket.terminate()
  client?.once('close', giveUp)
  return new Promise((resolve) => {
    const failed = () => resolve(undefined)
    socket.on('error', failed)
    socket.once('open', () => {
      client?.off('close', giveUp)
      // Until somebody listens, nothing is read.
      socket.pause()
      resolve({ socket, release: () => socket.resume() })
    })
  })
}
