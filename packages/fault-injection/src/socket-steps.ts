import { formatPeer, type JsonValue, stringifyJson } from '@hailstone/protocol'
import { brokenJson, readOrNull } from './broken-json.ts'
import type { ActiveFault } from './fault-engine.ts'
import type { SocketFaults } from './fault-script.ts'
import { flipBits } from './flip-bits.ts'
import { forgeBeacon, keyBlockOf, swollenBeacon } from './forge-beacon.ts'
import { rewriteMembers } from './rewrite-members.ts'
import type { SocketConnection, SocketFrame } from './socket-connection.ts'

/** One fault around the faults after it, and at last the connection itself. */
export type SocketStep = (
  frame: SocketFrame,
  connection: SocketConnection,
  next: (frame: SocketFrame) => void,
) => void

/** Faults of the messages; those of the upgrade are answered before there is a socket. */
type FrameFaults = Omit<SocketFaults, 'status' | 'redirect'>

type StepFactories = {
  readonly [Name in keyof FrameFaults]: (options: FrameFaults[Name], fault: ActiveFault) => SocketStep
}

const BEACONS_AT_ONCE = 100
/** A key block that every chain has closed long ago. */
const OLDEST_KEY_BLOCK = 'DEVGENESIS'

const replacing =
  (change: (text: string, frame: SocketFrame) => string | Buffer): SocketStep =>
  (frame, _, next) =>
    next({ ...frame, text: change(String(frame.text), frame) })

/** Sends many messages without filling our memory when nobody reads them. */
async function pour(
  { socket, say, wait }: SocketConnection,
  parameters: { readonly count: number; readonly everyMs: number; readonly textOf: () => string },
): Promise<void> {
  const { count, everyMs, textOf } = parameters
  const size = everyMs > 0 ? 1 : BEACONS_AT_ONCE
  const closed = new Promise<void>((resolve) => socket.once('close', resolve))
  for (let sent = 0; sent < count && socket.readyState === socket.OPEN; sent += size) {
    const last = Math.min(size, count - sent)
    const left = new Promise<void>((resolve) => {
      for (let at = 1; at <= last; at++) say(textOf(), at === last ? resolve : undefined)
    })
    await Promise.race([left, closed])
    if (everyMs > 0) await wait(everyMs)
  }
}

const corrupt = ({ bits = 1, of = 'text' }: FrameFaults['corrupt'], fault: ActiveFault): SocketStep => {
  const count = fault.draw('bits', bits)
  return (frame, { socketTap }, next) => {
    if (of === 'text') {
      next({ ...frame, text: flipBits(Buffer.from(frame.text), count, fault.random) })
      return
    }
    if (frame.direction === 'toMiner') socketTap.mutateNext((chunk) => flipBits(chunk, count, fault.random))
    next(frame)
  }
}

const cut = ({ afterBytes = 0, how = 'end' }: FrameFaults['cut'], fault: ActiveFault): SocketStep => {
  const bytes = fault.draw('afterBytes', afterBytes)
  return (frame, { socketTap }, next) => {
    // Of a message from the miner nothing is used that did not come whole, so where it was cut cannot be seen.
    if (frame.direction === 'fromMiner') socketTap.cutNow(how)
    else {
      socketTap.cutAfter({ afterBytes: bytes, how })
      next(frame)
    }
  }
}

const forge = ({ what, instead = true }: FrameFaults['forge'], { random }: ActiveFault): SocketStep => {
  return (frame, { firstBeacon }, next) => {
    const text = String(frame.text)
    const first = firstBeacon === null ? OLDEST_KEY_BLOCK : keyBlockOf(firstBeacon)
    const pastKeyBlock = first === keyBlockOf(text) ? OLDEST_KEY_BLOCK : first
    next({ ...frame, text: forgeBeacon(text, what, { random, pastKeyBlock }) })
    if (!instead) next(frame)
  }
}

const replay = (
  { which = 'this', times, everyMs = 0 }: FrameFaults['replay'],
  fault: ActiveFault,
): SocketStep => {
  return (frame, connection, next) => {
    const { firstBeacon, previousBeacon } = connection
    next(frame)
    const text = { this: String(frame.text), previous: previousBeacon, first: firstBeacon }[which]
    fault.note('sent', text === null ? 0 : times)
    if (text !== null) void pour(connection, { count: times, everyMs, textOf: () => text })
  }
}

function oversizedText({ bytes, transactions }: FrameFaults['oversized'], text: string): string {
  if (transactions !== undefined) return swollenBeacon(text, transactions)
  const [head, tail] = ['{"ver":4,"method":"on_leader_beacon","data":{"padding":"', '"}}']
  return head + 'x'.repeat(Math.max(0, (bytes ?? 0) - head.length - tail.length)) + tail
}

const steps: StepFactories = {
  delay: ({ ms }, fault) => {
    const delayMs = fault.draw('ms', ms)
    return (frame, { wait }, next) => void wait(delayMs).then(() => next(frame))
  },
  drop: () => () => {},
  mute: () => (frame, connection, next) => {
    connection.isMute = true
    if (frame.message !== 'on_leader_beacon') next(frame)
  },
  silent: () => (_, connection) => {
    connection.isSilent = true
  },
  halfOpen:
    () =>
    (_, { socketTap }) =>
      socketTap.freeze(),
  duplicate:
    ({ times }) =>
    (frame, _, next) => {
      for (let sent = 0; sent < times; sent++) next(frame)
    },
  reorder:
    ({ waitMs = 1000 }) =>
    (frame, { reorderGates }, next) =>
      void reorderGates[frame.direction].hold(waitMs).then(() => next(frame)),
  corrupt,
  wrongJson: (name) => replacing((text) => brokenJson(name, text)),
  rewrite: (changes, fault) =>
    replacing((text) => {
      const value = readOrNull(text)
      if (value === null) return text
      const rewritten = rewriteMembers(value, changes)
      fault.note('changed', rewritten.count)
      return stringifyJson(rewritten.value)
    }),
  cut,
  close:
    ({ code, reason }) =>
    (_, { socket }) =>
      socket.close(code, reason),
  reset:
    ({ when = 'before' }) =>
    (frame, { socketTap }, next) => {
      if (when === 'after') next(frame)
      socketTap.cutNow('reset')
    },
  drip:
    ({ bytes = 1, everyMs }) =>
    (frame, { socketTap, say }, next) => {
      if (frame.direction === 'fromMiner') next(frame)
      else {
        socketTap.drip({ bytes, everyMs })
        say(frame.text, () => socketTap.drip(null))
      }
    },
  fragment:
    ({ bytes }) =>
    (frame, { socket }, next) => {
      if (frame.direction === 'fromMiner') {
        next(frame)
        return
      }
      const whole = Buffer.from(frame.text)
      for (let at = 0; at < whole.length && socket.readyState === socket.OPEN; at += bytes)
        socket.send(whole.subarray(at, at + bytes), { binary: false, fin: at + bytes >= whole.length })
    },
  forge,
  replay,
  flood:
    ({ beacons, everyMs = 0 }, { random }) =>
    (frame, connection, next) => {
      next(frame)
      const text = String(frame.text)
      const textOf = () => forgeBeacon(text, 'futureKeyBlock', { random, pastKeyBlock: OLDEST_KEY_BLOCK })
      void pour(connection, { count: beacons, everyMs, textOf })
    },
  peer:
    ({ host, port, instead = false }) =>
    (frame, { say }, next) => {
      say(formatPeer({ host, port }))
      if (!instead) next(frame)
    },
  oversized: (options) => replacing((text) => oversizedText(options, text)),
  say:
    ({ text, json, instead = false }) =>
    (frame, connection, next) => {
      connection.say(text ?? stringifyJson(json as JsonValue))
      if (!instead) next(frame)
    },
}

export const socketStepOf = (fault: ActiveFault): SocketStep =>
  steps[fault.kind as keyof StepFactories](fault.options as never, fault)
