import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { SocketFaultLayer } from '../faults/socket-faults.ts'
import type { Session } from './session.ts'

/** A miner that reads nothing must not fill our memory. */
const LONGEST_BACKLOG_BYTES = 1024 * 1024
/** How long a dismissed miner may take to hang up itself. */
const FAREWELL_MS = 1000
/** Policy violation (RFC 6455, 7.4.1). */
const DISMISSED = 1008

/** Puts a session around a socket, and reads its messages until it is dismissed. */
export function openSession(parameters: {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly faults: Pick<SocketFaultLayer, 'tap'>
  readonly id: number
  readonly onMessage: (session: Session, text: string) => void
  readonly onClose: (session: Session) => void
  readonly onError: (session: Session, error: Error) => void
}): Session {
  const { socket, request, faults, id, onMessage, onClose, onError } = parameters
  let isDismissed = false
  /** What was not read yet after the last message. */
  let backlogBytes = 0
  let farewell: NodeJS.Timeout | undefined
  const terminate = (): void => {
    isDismissed = true
    socket.terminate()
  }
  const session: Session = {
    id,
    miner: null,
    outstanding: null,
    score: 1,
    lastBeaconAtMs: null,
    isAlive: true,
    send(text) {
      const { bufferedAmount } = socket
      // Who reads on is not cut, however large the last message was.
      if (bufferedAmount > LONGEST_BACKLOG_BYTES && bufferedAmount >= backlogBytes) return terminate()
      tap.send(text)
      backlogBytes = socket.bufferedAmount
    },
    dismiss(text) {
      if (isDismissed) return
      isDismissed = true
      tap.send(text)
      // Cutting at once can destroy the message on its way; a closing handshake cannot.
      socket.close(DISMISSED)
      farewell = setTimeout(() => socket.terminate(), FAREWELL_MS)
    },
    terminate,
  }
  const tap = faults.tap({
    socket,
    request,
    address: () => session.miner?.address,
    hear: (text) => {
      if (!isDismissed) onMessage(session, text)
    },
  })
  socket.on('message', (data) => tap.receive(String(data)))
  socket.on('pong', () => {
    session.isAlive = true
  })
  socket.on('error', (error) => onError(session, error))
  socket.on('close', () => {
    clearTimeout(farewell)
    onClose(session)
  })
  return session
}
