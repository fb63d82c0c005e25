import type { IncomingMessage } from 'node:http'
import { RANK, type SocketFaultLayer, SocketTap } from '@hailstone/fault-injection'
import type { RawData, WebSocket } from 'ws'
import type { FairTurns } from '../fair-turns.ts'
import { createAllowance, type KeyAllowances } from './allowance.ts'
import type { Session } from './session.ts'

/** A miner that reads nothing must not fill our memory. */
const LONGEST_BACKLOG_BYTES = 1024 * 1024
/** Time that a dismissed miner has to close its connection, in ms. */
const FAREWELL_MS = 1000
/** Policy violation (RFC 6455, 7.4.1). */
const DISMISSED = 1008

/** A frame of a miner has some 500 bytes. Where frames are longer, each part of this length counts as one. */
const FRAME_BYTES = 2048
/**
 * Of somebody who could not publish. Empty parts of a message have six bytes each and cost as much as whole messages; a
 * hail has some 400 bytes, which is half of what may be sent at once.
 */
const STRANGER_FRAME_BYTES = 8
/** The longest time for which nothing of a stranger is read: it is not seen that it has hung up meanwhile. */
const MAX_STRANGER_REST_MS = 5000
/** Messages that wait for their turn. From there on nothing more is read. */
const MAX_WAITING = 16

/** Questions whether the other side is there, each of which is a ping. */
function createPings(socket: WebSocket) {
  const answers = new Set<(isThere: boolean) => void>()
  return {
    ask: (withinMs: number): Promise<boolean> =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) {
          resolve(false)
          return
        }
        const settle = (isThere: boolean): void => {
          clearTimeout(timer)
          answers.delete(settle)
          resolve(isThere)
        }
        const timer = setTimeout(() => settle(false), withinMs)
        answers.add(settle)
        socket.ping()
      }),
    settle(isThere: boolean): void {
      for (const answer of answers) answer(isThere)
    },
  }
}

/** Returns what answers the newest ping alone, when it has its turn and the answer before is sent (RFC 6455, 5.5.3). */
function createPongs(socket: WebSocket, inTurn: (work: () => void) => void): (ping: Buffer) => void {
  /** The newest ping without an answer. */
  let newest: Buffer | null = null
  let isAnswering = false
  const answer = (): void => {
    if (isAnswering || newest === null) return
    isAnswering = true
    inTurn(() => {
      const data = newest
      newest = null
      if (data !== null && socket.readyState === socket.OPEN)
        socket.pong(data, false, () => {
          isAnswering = false
          answer()
        })
    })
  }
  return (ping) => {
    newest = ping
    answer()
  }
}

/**
 * Reads the messages of a socket in turns, and no further until what was sent too quickly is made up for, or what waits
 * was worked on.
 *
 * @param parameters.owedMs spends units of what may be sent, and returns the time until they are made up for
 */
function createReader({
  socket,
  inTurn,
  owedMs,
  receive,
}: {
  readonly socket: WebSocket
  readonly inTurn: (work: () => void) => void
  readonly owedMs: (units: number) => number
  readonly receive: (data: RawData | undefined) => void
}) {
  const unread: RawData[] = []
  let rest: NodeJS.Timeout | undefined
  /** Messages that have no turn yet, because they came with what was sent too quickly. */
  let late = 0
  const readLater = (): void => {
    if (rest === undefined && unread.length < MAX_WAITING) socket.resume()
  }
  const takeTurn = (): void =>
    inTurn(() => {
      if (rest === undefined) {
        receive(unread.shift())
        readLater()
      } else late++
    })
  return {
    spend(units: number): void {
      const waitMs = owedMs(units)
      if (waitMs === 0 || rest !== undefined) return
      socket.pause()
      rest = setTimeout(() => {
        rest = undefined
        const turnsOwed = late
        late = 0
        for (let turn = 0; turn < turnsOwed; turn++) takeTurn()
        readLater()
      }, waitMs)
    },
    take(data: RawData): void {
      unread.push(data)
      if (unread.length >= MAX_WAITING) socket.pause()
      takeTurn()
    },
    end: (): void => clearTimeout(rest),
  }
}

type OpenSessionParameters = {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly faults: Pick<SocketFaultLayer, 'tap'>
  readonly id: number
  readonly turns: FairTurns<object>
  readonly framesPerSecond: number
  readonly framesAtOnce: number
  /** Rate limits by key, across connections. */
  readonly keys: KeyAllowances
  /** Time until the miner has to have introduced itself. */
  readonly hailTimeoutMs: number
  readonly onMessage: (session: Session, text: string) => void
  readonly onClose: (session: Session) => void
  readonly onError: (session: Session, error: Error) => void
}

/** Puts a session around a socket, and reads its messages until it is dismissed. */
export function openSession(parameters: OpenSessionParameters): Session {
  const { socket, request, id, turns, framesPerSecond, framesAtOnce, keys } = parameters
  const allowance = createAllowance({ perSecond: framesPerSecond, atOnce: framesAtOnce })
  const socketTap = request.socket instanceof SocketTap ? request.socket : null
  let isDismissed = false
  /** Bytes received after the last message and not read yet. */
  let backlogBytes = 0
  let farewell: NodeJS.Timeout | undefined
  const terminate = (): void => {
    isDismissed = true
    socket.terminate()
  }
  const dismiss = (text?: string): void => {
    if (isDismissed) return
    isDismissed = true
    if (text !== undefined) tap.send(text)
    // Cutting at once can destroy a message on its way; a closing handshake cannot.
    socket.close(DISMISSED)
    farewell = setTimeout(() => socket.terminate(), FAREWELL_MS)
  }
  const pings = createPings(socket)
  const session: Session = {
    ...{ id, miner: null, outstanding: null, offer: null, hail: null, score: 1, lastBeaconAtMs: null },
    ...{ isAlive: true, isProven: false, isHailSigned: () => false, hasStake: false, answeredHash: null },
    isThere: pings.ask,
    rank: (rank) => socketTap?.onRank?.(rank),
    send(text) {
      const { bufferedAmount } = socket
      // Who reads on is not cut, however large the last message was.
      if (bufferedAmount > LONGEST_BACKLOG_BYTES && bufferedAmount >= backlogBytes) return terminate()
      tap.send(text)
      backlogBytes = socket.bufferedAmount
    },
    dismiss,
    terminate,
  }
  const tap = parameters.faults.tap({
    socket,
    request,
    address: () => session.miner?.address,
    hear: (text) => {
      if (!isDismissed) parameters.onMessage(session, text)
    },
  })
  const inTurn = (work: () => void): void =>
    turns.enter(session, ({ freeSlot, freeMember }) => {
      work()
      freeSlot()
      freeMember()
    })
  const isStranger = (): boolean => !session.hasStake && !session.isProven
  const reader = createReader({
    ...{ socket, inTurn },
    owedMs(units) {
      const { miner } = session
      const owedMs = Math.max(allowance.spend(units), miner === null ? 0 : keys.spend(miner.address, units))
      return isStranger() ? Math.min(owedMs, MAX_STRANGER_REST_MS) : owedMs
    },
    receive(data) {
      const isNameless = session.miner === null
      if (data !== undefined && !isDismissed) tap.receive(String(data))
      // What the key has spent on other connections counts from now on.
      if (isNameless) reader.spend(0)
    },
  })
  const answerPing = createPongs(socket, inTurn)
  const hailing = setTimeout(() => {
    if (session.miner === null) dismiss()
  }, parameters.hailTimeoutMs)
  session.rank(RANK.silent)
  request.socket.on('data', ({ length }: Buffer) =>
    reader.spend(length / (isStranger() ? STRANGER_FRAME_BYTES : FRAME_BYTES)),
  )
  socket.on('message', (data) => {
    reader.spend(1)
    if (!isDismissed) reader.take(data)
  })
  socket.on('ping', (data) => {
    reader.spend(1)
    answerPing(data)
  })
  socket.on('pong', () => {
    reader.spend(1)
    session.isAlive = true
    pings.settle(true)
  })
  socket.on('error', (error) => parameters.onError(session, error))
  socket.on('close', () => {
    clearTimeout(farewell)
    reader.end()
    clearTimeout(hailing)
    turns.leave(session)
    pings.settle(false)
    parameters.onClose(session)
  })
  return session
}
