import { createReorderGate, type ReorderGate } from './reorder-gate.ts'
import type { SocketTap } from './socket-tap.ts'

/** Part of a `WebSocket` of `ws` that faults need. */
export type MinerSocket = {
  readonly readyState: number
  /** Value of `readyState` while messages can be sent. */
  readonly OPEN: number
  readonly send: (
    data: string | Buffer,
    options: { readonly binary: boolean; readonly fin?: boolean },
    sent?: () => void,
  ) => void
  readonly close: (code: number, reason?: string) => void
  readonly once: (event: 'close', listener: () => void) => unknown
}

export type Direction = 'toMiner' | 'fromMiner'

/** A message on its way. */
export type SocketFrame = {
  readonly direction: Direction
  readonly message: string
  readonly text: string | Buffer
}

/** A miner's connection as the faults have it. */
export type SocketConnection = {
  readonly socket: MinerSocket
  readonly socketTap: SocketTap
  /** Past all faults; `sent` when it has left. */
  readonly say: (text: string | Buffer, sent?: () => void) => void
  readonly reorderGates: { readonly [D in Direction]: ReorderGate }
  readonly wait: (delayMs: number) => Promise<void>
  /** No beacon gets out any more. */
  isMute: boolean
  /** Nothing gets in or out any more; pings are still answered. */
  isSilent: boolean
  /** Genuine ones that were to be sent. */
  firstBeacon: string | null
  previousBeacon: string | null
}

export function createSocketConnection(parameters: {
  readonly socket: MinerSocket
  readonly socketTap: SocketTap
  readonly wait: (delayMs: number) => Promise<void>
}): SocketConnection {
  const { socket, wait } = parameters
  return {
    ...parameters,
    say(text, sent) {
      if (socket.readyState === socket.OPEN) socket.send(text, { binary: false }, () => sent?.())
    },
    reorderGates: { toMiner: createReorderGate(wait), fromMiner: createReorderGate(wait) },
    isMute: false,
    isSilent: false,
    firstBeacon: null,
    previousBeacon: null,
  }
}
