import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { readOrNull } from './broken-json.ts'
import type { ActiveFault, FaultEngine } from './fault-engine.ts'
import { MESSAGES, type SocketFaults, type SocketRule } from './fault-script.ts'
import {
  createSocketConnection,
  type Direction,
  type MinerSocket,
  type SocketFrame,
} from './socket-connection.ts'
import { socketStepOf } from './socket-steps.ts'
import { SocketTap } from './socket-tap.ts'
import { statusAnswer } from './status-answer.ts'

/** Connection of a miner, and where its messages go. */
export type SocketTapParameters = {
  readonly socket: MinerSocket
  readonly request: IncomingMessage
  /** Of the miner, once it has hailed. */
  readonly address: () => string | undefined
  readonly hear: (text: string) => void
}

/** Both directions of a connection, with the faults that rules give its messages. */
export type TappedSocket = {
  readonly send: (text: string) => void
  readonly receive: (text: string) => void
}

/** Faults of miners' connections and their messages, for the gateway that they happen to. */
export type SocketFaultLayer = {
  /** A new connection, of which nothing is known yet. */
  readonly admit: (socketTap: SocketTap, enter: () => void) => void
  /** Lets an upgrade in, later or never, or answers it in place of the gateway. */
  readonly upgrade: (request: IncomingMessage, stream: Duplex, enter: () => void) => void
  /** Puts the faults between a session and its socket. @throws {Error} if it did not come through a listener */
  readonly tap: (parameters: SocketTapParameters) => TappedSocket
}

type Read = { readonly message: string; readonly id: string | undefined }

/** The name of a message, and the address that a hail gives. */
function read(text: string): Read {
  const value = readOrNull(text)
  const frame = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (frame.err !== undefined) return { message: 'error', id: undefined }
  const isKnown = (MESSAGES as readonly unknown[]).includes(frame.method)
  const data = (frame.data ?? {}) as Record<string, unknown>
  return {
    message: isKnown ? String(frame.method) : 'other',
    id: typeof data.id === 'string' ? data.id : undefined,
  }
}

/** Rules without a message mean messages, not what comes before them. */
const fitsEarly =
  (message: 'connect' | 'upgrade') =>
  ({ match }: SocketRule): boolean =>
    match?.message === message

const fitsFrame =
  (frame: SocketFrame, address: string | undefined) =>
  ({ match = {} }: SocketRule): boolean => {
    const { direction, message, address: wanted } = match
    return (
      message !== 'connect' &&
      message !== 'upgrade' &&
      (direction === undefined || direction === frame.direction) &&
      (message === undefined || message === frame.message) &&
      (wanted === undefined || wanted === address)
    )
  }

function refuse(stream: Duplex, code: number, headers: readonly string[], body: Buffer): void {
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'Status'}`,
    ...headers,
    `content-length: ${body.length}`,
    'connection: close',
  ]
  stream.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

const answerUpgrade = {
  status(stream: Duplex, options: SocketFaults['status']): void {
    const { status, headers, body } = statusAnswer(options, null)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    refuse(stream, status, lines, body)
  },
  redirect(stream: Duplex, { location, code = 302 }: SocketFaults['redirect']): void {
    refuse(stream, code, [`location: ${location}`], Buffer.alloc(0))
  },
}

/** Makes connections of miners and their messages go wrong as the script says. */
export function createSocketFaults(engine: FaultEngine): SocketFaultLayer {
  /** Applies the faults that come before the first message of a connection. */
  const early = (fault: ActiveFault, socketTap: SocketTap, enter: () => void): void => {
    if (fault.kind === 'delay')
      engine.later(fault.draw('ms', (fault.options as SocketFaults['delay']).ms), enter)
    else if (fault.kind === 'reset') socketTap.cutNow('reset')
    else if (fault.kind === 'halfOpen') socketTap.freeze()
  }
  return {
    admit(socketTap, enter) {
      const [fault] = engine.match('gateway', fitsEarly('connect'), 'fromMiner connect')
      if (fault === undefined) enter()
      else early(fault, socketTap, enter)
    },
    upgrade(_, stream, enter) {
      const [fault] = engine.match('gateway', fitsEarly('upgrade'), 'fromMiner upgrade')
      if (fault === undefined) enter()
      else if (fault.kind === 'status') answerUpgrade.status(stream, fault.options as SocketFaults['status'])
      else if (fault.kind === 'redirect')
        answerUpgrade.redirect(stream, fault.options as SocketFaults['redirect'])
      else if (stream instanceof SocketTap) early(fault, stream, enter)
    },
    tap: (parameters) => openTap(engine, parameters),
  }
}

function openTap(engine: FaultEngine, { socket, request, address, hear }: SocketTapParameters): TappedSocket {
  const socketTap: unknown = request.socket
  if (!(socketTap instanceof SocketTap))
    throw new Error('Faults need a connection that came through a listener.')
  const connection = createSocketConnection({ socket, socketTap, wait: engine.wait })
  const deliver = (frame: SocketFrame): void => {
    if (frame.direction === 'toMiner') connection.say(frame.text)
    else hear(String(frame.text))
    connection.reorderGates[frame.direction].passed()
  }
  const pass = (direction: Direction, text: string): void => {
    if (connection.isSilent) return
    const { message, id } = read(text)
    const isBeacon = direction === 'toMiner' && message === 'on_leader_beacon'
    if (isBeacon && connection.isMute) return
    const frame = { direction, message, text }
    const who = message === 'hail' ? id : address()
    const run = engine
      .match('gateway', fitsFrame(frame, who), `${direction} ${message}`)
      .map(socketStepOf)
      .reduceRight<(frame: SocketFrame) => void>(
        (next, step) => (inner) => step(inner, connection, next),
        deliver,
      )
    run(frame)
    if (isBeacon) {
      connection.firstBeacon ??= text
      connection.previousBeacon = text
    }
  }
  // Without a rule nothing is read twice.
  const isIdle = (): boolean =>
    !connection.isMute && !connection.isSilent && !engine.hasRule(({ on }) => on === 'gateway')
  return {
    send: (text) => (isIdle() ? connection.say(text) : pass('toMiner', text)),
    receive: (text) => (isIdle() ? hear(text) : pass('fromMiner', text)),
  }
}
