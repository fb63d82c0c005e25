import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { createAllowance } from './allowance.ts'
import type { BridgeCounts } from './bridge-counts.ts'
import type { BridgeLimits } from './bridge-settings.ts'

/** One client and its gateway. */
export type Relay = {
  readonly closed: Promise<void>
  /** Asks both sides whether they are there; ends the session of one that did not answer the last time. */
  readonly ping: () => void
  /** @param code close code for the client */
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
}

const GOING_AWAY = 1001
const POLICY = 1008
const FAILED = 1011
const TRY_AGAIN = 1013
/** Above this much the other side is no longer read. */
const HIGH_WATER_BYTES = 1024 * 1024

/** Time for a client that is cut off to hear why, in ms. */
const CUT_OFF_MS = 1_000
/** Of one that is masked, at most. */
const FRAME_HEAD_BYTES = 14

/** 1004 to 1006 and 1015 are never sent, so they cannot be passed on either. */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006)) || (code >= 3000 && code <= 4999)

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
  // Parts of a message are told by nobody: what they can take is bounded by their bytes.
  const bytesPerSecond = limits.framesPerSecond * (limits.clientFrameBytes + FRAME_HEAD_BYTES)
  const bytes = createAllowance({ perSecond: bytesPerSecond, most: 2 * bytesPerSecond, now })
  let isCutOff = false
  const isThere = { client: true, gateway: true }
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
    if (isTaken()) isThere.client = true
  })
  gateway.on('pong', () => {
    isThere.gateway = true
  })
  // Each error is followed by a close.
  for (const socket of both) socket.on('error', () => undefined)

  const pair = [
    [client, gateway, GOING_AWAY],
    [gateway, client, FAILED],
  ] as const
  const closed = Promise.all(
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
  ).then(() => undefined)

  const terminate = (): void => {
    for (const socket of both) socket.terminate()
  }
  return {
    closed,
    close,
    terminate,
    ping: () => {
      if (!isThere.client || !isThere.gateway) {
        counts.silent(isThere.client ? 'gateway' : 'client')
        if (!isThere.client) client.terminate()
        if (!isThere.gateway) gateway.terminate()
        return
      }
      for (const [name, socket] of Object.entries({ client, gateway }) as [
        'client' | 'gateway',
        WebSocket,
      ][]) {
        // One that is not read cannot be heard either.
        if (socket.readyState !== socket.OPEN || socket.isPaused) continue
        isThere[name] = false
        socket.ping()
      }
    },
  }
}
