import type { Address, Hail, Publication } from '@hailstone/protocol'
import type { FleetSigner } from '../src/fleet/signer-pool.ts'
import type { ChannelHandlers, OpenChannel } from '../src/session/channel.ts'
import type { SessionClock } from '../src/session/clock.ts'

/** Time that passes when it is told to; nothing here waits for the real one. */
export type VirtualClock = SessionClock & {
  /** Runs everything that is due on the way. */
  readonly advance: (byMs: number) => void
  readonly nextAt: () => number | undefined
}

export function virtualClock(): VirtualClock {
  let time = 0
  let sequence = 0
  /** A heap by time, then by the order of asking. */
  const heap: { readonly at: number; readonly order: number; run: (() => void) | null }[] = []
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a], heap[b]]
    if (one === undefined || other === undefined) return false
    return one.at < other.at || (one.at === other.at && one.order < other.order)
  }
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]]
    if (one !== undefined && other !== undefined) [heap[a], heap[b]] = [other, one]
  }
  const up = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isBefore(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  const down = (): void => {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (isBefore(left, least)) least = left
      if (isBefore(right, least)) least = right
      if (least === at) return
      swap(at, least)
      at = least
    }
  }
  const pop = () => {
    const top = heap[0]
    const last = heap.pop()
    if (heap.length > 0 && last !== undefined) {
      heap[0] = last
      down()
    }
    return top
  }
  return {
    now: () => time,
    wallNow: () => time,
    after: (delayMs, callback) => {
      const entry = { at: time + delayMs, order: sequence++, run: callback as (() => void) | null }
      up(heap.push(entry) - 1)
      return () => {
        entry.run = null
      }
    },
    nextAt: () => heap[0]?.at,
    advance: (byMs) => {
      const end = time + byMs
      for (let first = heap[0]; first !== undefined && first.at <= end; first = heap[0]) {
        pop()
        time = Math.max(time, first.at)
        first.run?.()
      }
      time = end
    },
  }
}

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A signer without a curve: the wire carries its number, which is all that these tests look at. */
export const numberedSigner = (number: number): FleetSigner => {
  const address = `02${number.toString(16).padStart(64, '0')}` as Address
  // Signatures of wallets are not verified.
  return Object.freeze({
    address,
    signHail: ({ tokenId }) => ({ address, tokenId, hash: '', signature: '' }) as unknown as Hail,
    signPublication: () => ({ address, signature: '' }) as unknown as Publication,
    exportPrivateKey: () => '',
  })
}

export type VirtualGateway = {
  readonly url: string
  readonly openChannel: OpenChannel
  isUp: boolean
  /** Cuts all connections and refuses new ones. */
  readonly crash: () => void
  /** Nothing passes any more, and nobody is told. */
  readonly goDumb: () => void
  readonly connections: () => number
  /** Attempts to connect, also those that were refused. */
  attempts: number
  /** Times of all hails. */
  readonly hails: number[]
}

const ROUND_TRIP_MS = 1

/** A gateway in memory, a millisecond away. */
export function virtualGateway(clock: SessionClock, url = 'ws://gateway.test:3000/'): VirtualGateway {
  const open = new Set<ChannelHandlers>()
  let isDumb = false
  const gateway: VirtualGateway = {
    url,
    isUp: true,
    attempts: 0,
    hails: [],
    goDumb: () => {
      isDumb = true
    },
    connections: () => open.size,
    crash: () => {
      gateway.isUp = false
      const cut = [...open]
      open.clear()
      for (const handlers of cut) handlers.closed(1006)
    },
    openChannel: ({ handlers }) => {
      gateway.attempts++
      clock.after(ROUND_TRIP_MS, () => {
        if (!gateway.isUp) {
          handlers.failed('ECONNREFUSED')
          return
        }
        open.add(handlers)
        handlers.opened()
      })
      const leave = (code: number): void => {
        if (open.delete(handlers)) handlers.closed(code)
      }
      return {
        send: (text) => {
          if (!open.has(handlers)) throw new Error('the socket is not open')
          if (text.includes('"hail"')) gateway.hails.push(clock.now())
        },
        ping: () => {
          if (open.has(handlers) && !isDumb) handlers.pong()
        },
        close: leave,
        terminate: () => leave(1006),
      }
    },
  }
  return gateway
}

/** Opens each address at the gateway that has it. */
export const doorTo =
  (gateways: readonly VirtualGateway[]): OpenChannel =>
  (given) => {
    const gateway = gateways.find(({ url }) => url === given.url)
    if (gateway === undefined) throw new Error(`nobody listens at ${given.url}`)
    return gateway.openChannel(given)
  }

const realTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets virtual time pass, with a turn of the real event loop at each step. */
export async function pass(clock: VirtualClock, ms: number, stepMs = 20): Promise<void> {
  const end = clock.now() + ms
  while (clock.now() < end) {
    clock.advance(Math.min(stepMs, end - clock.now()))
    await realTurn()
  }
}

/** Lets virtual time pass until a promise is settled. */
export async function passUntil<T>(clock: VirtualClock, wanted: Promise<T>): Promise<T> {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  wanted.then(settle, settle)
  while (!isSettled) {
    clock.advance(10)
    await realTurn()
  }
  return wanted
}
