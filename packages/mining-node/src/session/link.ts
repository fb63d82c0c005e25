import { guarded } from '@hailstone/runtime'
import type { Channel, ChannelHandlers, OpenChannel } from './channel.ts'
import type { SessionClock } from './clock.ts'
import { createInflow } from './inflow.ts'
import { CLOSE_GRACE_MS, CLOSE_TOO_LARGE } from './limits.ts'

/** A channel under the machine's number for it, and the promise that it is gone. */
export type Link = {
  readonly connection: number
  readonly channel: Channel
  readonly ended: Promise<void>
  /** Closing handshake, then force when the other side lets it wait. */
  readonly end: (code: number) => void
}

export function openLink(parameters: {
  readonly connection: number
  readonly url: string
  readonly frameLimitBytes: number
  readonly openChannel: OpenChannel
  readonly clock: SessionClock
  readonly handlers: ChannelHandlers
}): Link {
  const { connection, url, frameLimitBytes, openChannel, clock, handlers } = parameters
  let isGone = false
  let stopGrace: (() => void) | null = null
  let onEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    onEnded = resolve
  })
  const inflow = createInflow({
    clock,
    take: handlers.received,
    onFlooded: () => {
      force()
      handlers.closed(CLOSE_TOO_LARGE)
    },
  })
  const gone = (): void => {
    isGone = true
    inflow.end()
    stopGrace?.()
    onEnded()
  }
  const channel = openChannel({
    url,
    frameLimitBytes,
    handlers: {
      ...handlers,
      received: inflow.offer,
      // What came before the end is read before it.
      closed: (...given) =>
        inflow.finish(() => {
          gone()
          handlers.closed(...given)
        }),
      failed: (...given) => {
        gone()
        handlers.failed(...given)
      },
    },
  })
  const force = (): void => {
    guarded(() => channel.terminate())()
    gone()
  }
  const end = (code: number): void => {
    if (isGone || stopGrace !== null) return
    inflow.end()
    stopGrace = clock.after(CLOSE_GRACE_MS, force)
    guarded(() => channel.close(code))()
  }
  return { connection, channel, ended, end }
}
