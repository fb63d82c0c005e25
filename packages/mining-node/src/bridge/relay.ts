import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { createAllowance } from './allowance.ts'
import type { BridgeCounts } from './bridge-counts.ts'
import type { BridgeLimits } from './bridge-settings.ts'

/** One client and its gateway. */
export type Relay = {
  readonly closed: Promise<void>
  /** Sends a ping to both sides; ends the session where one did not answer the last ping. */
  readonly ping: () => void
  /** @param code close code for the client */
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
}

const GOING_AWAY = 1001
const POLICY = 1008
const FAILED = 1011
const TRY_AGAIN = 1013
/** Bytes waiting for one side above which the other side is paused. */
const HIGH_WATER_BYTES = 1024 * 1024

/** Time in ms for the close code to reach a client that is cut off. */
const CUT_OFF_MS = 1_000
/** Largest head of a masked frame. */
const FRAME_HEAD_BYTES = 14

/** 1004 to 1006 and 1015 are never sent, so they cannot be passed on either. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006)) || (code >= 3000 && code <= 4999)

type Side = 'client' | 'gateway'

/** Sends pings to both sides, and ends the session of one that did not answer the last. */
function createPresence({
  client,
  gateway,
  counts,
}: Readonly<Record<Side, WebSocket>> & { readonly counts: BridgeCounts }): {
  readonly answered: (side: Side) => void
  readonly ping: () => void
} {
  const hasAnswered = { client: true, gateway: true }
  return {
    answered: (side) => {
      hasAnswered[side] = true
    },
    ping: () => {
      if (!hasAnswered.client || !hasAnswered.gateway) {
        counts.silent(hasAnswered.client ? 'gateway' : 'client')
        if (!hasAnswered.client) client.terminate()
        if (!hasAnswered.gateway) gateway.terminate()
        return
      }
      for (const [side, socket] of Object.entries({ client, gateway }) as [Side, WebSocket][]) {
        // The answer of a socket that is not read does not arrive either.
        if (socket.readyState !== socket.OPEN || socket.isPaused) continue
        hasAnswered[side] = false
        socket.ping()
      }
    },
  }
}

/** Closes each side with the code of the other; resolves when both are closed. */
async function closingTogether(client: WebSocket, gateway: WebSocket): Promise<void> {
  const pair = [
    [client, gateway, GOING_AWAY],
    [gateway, client, FAILED],
  ] as const
  await Promise.all(
    pair.map(
      ([socket, other, otherwise]) =>
        new Promise<void>((resolve) => {
          socket.on('close', (code, reason) => {
            resolve()
            if (other.readyState > other.OPEN) return
            other.close(isSendable(code) ? code : otherwise, isSendable(code) ? reason : '')
            // A paused socket would never see the answer to its close.
            if (other.isPaused) other.resume()
          })
        }),
    ),
  )
}

/** Passes whole frames on, both ways and in order, and ends both when one ends. Nothing is read or kept. */
export function relay(parameters: {
  readonly client: WebSocket
  /** Connection through which the frames of the client arrive. */
  readonly line: Duplex
  readonly gateway: WebSocket
  readonly limits: BridgeLimits
  readonly counts: BridgeCounts
  readonly now: () => number
}): Relay {
  const { client, line, gateway, limits, counts, now } = parameters
  const frames = createAllowance({ perSecond: limits.framesPerSecond, most: 2 * limits.framesPerSecond, now })
  // The socket emits no event for the parts of a message; what they cost is bounded by their bytes.
  const bytesPerSecond = limits.framesPerSecond * (limits.clientFrameBytes + FRAME_HEAD_BYTES)
  const bytes = createAllowance({ perSecond: bytesPerSecond, most: 2 * bytesPerSecond, now })
  let isCutOff = false
  const presence = createPresence({ client, gateway, counts })
  const both = [client, gateway] as const

  const close = (code: number, reason: string): void => {
    for (const socket of both) if (socket.readyState <= socket.OPEN) socket.close(code, reason)
  }

  function pass(from: WebSocket, to: WebSocket, data: RawData, isBinary: boolean): void {
    if (to.readyState !== to.OPEN) return
    to.send(data, { binary: isBinary, compress: false }, () => {
      if (isCutOff && from === client) return
      if (from.isPaused && to.bufferedAmount < HIGH_WATER_BYTES) from.resume()
    })
    if (to.bufferedAmount > limits.waitingBytes) close(TRY_AGAIN, 'what is sent is not read')
    else if (to.bufferedAmount > HIGH_WATER_BYTES) from.pause()
  }

  /** Nothing more is read of it, not even its answer to the close. */
  function cutOff(): void {
    isCutOff = true
    close(POLICY, 'too many messages')
    client.pause()
    const last = setTimeout(() => client.terminate(), CUT_OFF_MS)
    client.once('close', () => clearTimeout(last))
  }

  function isTaken(): boolean {
    if (isCutOff) return false
    if (frames.take()) return true
    cutOff()
    return false
  }

  line.on('data', (chunk: Buffer) => {
    if (!isCutOff && !bytes.take(chunk.byteLength)) cutOff()
  })
  client.on('message', (data, isBinary) => {
    counts.frame('to_gateway', data)
    if (isTaken()) pass(client, gateway, data, isBinary)
  })
  client.on('ping', (data) => {
    if (isTaken() && client.bufferedAmount < HIGH_WATER_BYTES) client.pong(data)
  })
  gateway.on('message', (data, isBinary) => {
    counts.frame('to_client', data)
    pass(gateway, client, data, isBinary)
  })
  client.on('pong', () => {
    if (isTaken()) presence.answered('client')
  })
  gateway.on('pong', () => presence.answered('gateway'))
  // Each error is followed by a close.
  for (const socket of both) socket.on('error', () => undefined)

  const terminate = (): void => {
    for (const socket of both) socket.terminate()
  }
  return {
    closed: closingTogether(client, gateway),
    close,
    terminate,
    ping: presence.ping,
  }
}
