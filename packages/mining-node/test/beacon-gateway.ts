import { parseClientMessage } from '@hailstone/protocol'
import type { ChannelHandlers, OpenChannel } from '../src/session/channel.ts'
import type { SessionClock } from '../src/session/clock.ts'

/** A gateway in memory that offers beacons to one miner; it keeps the newest publications alone. */
export type BeaconGateway = {
  readonly openChannel: OpenChannel
  /** False when nobody is connected. */
  readonly offer: (text: string) => boolean
  /** Returns the publications since the last call. */
  readonly takePublications: () => readonly unknown[]
  /** Cuts the connection and refuses new ones. */
  readonly goDown: () => void
  readonly comeUp: () => void
}

const ROUND_TRIP_MS = 1

export function beaconGateway(clock: Pick<SessionClock, 'after'>): BeaconGateway {
  let isUp = true
  let miner: ChannelHandlers | null = null
  let publications: unknown[] = []

  const openChannel: OpenChannel = ({ handlers }) => {
    clock.after(ROUND_TRIP_MS, () => {
      if (!isUp) return handlers.failed('ECONNREFUSED')
      miner = handlers
      handlers.opened()
    })
    const leave = (code: number): void => {
      if (miner === handlers) miner = null
      handlers.closed(code)
    }
    const send = (text: string): void => {
      if (miner !== handlers) throw new Error('the socket is not open')
      const message = parseClientMessage(text)
      if (message.kind === 'publish') publications.push(message.data.microblockHash)
    }
    const ping = (): void => {
      if (miner === handlers) handlers.pong()
    }
    return { send, ping, close: leave, terminate: () => leave(1006) }
  }

  return {
    openChannel,
    offer: (text) => {
      miner?.received(text)
      return miner !== null
    },
    takePublications: () => {
      const taken = publications
      publications = []
      return taken
    },
    goDown: () => {
      isUp = false
      const cut = miner
      miner = null
      cut?.closed(1006)
    },
    comeUp: () => {
      isUp = true
    },
  }
}
