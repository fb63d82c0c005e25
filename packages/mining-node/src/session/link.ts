import type { ServerMessage } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import type { Channel, OpenChannel } from './channel.ts'
import type { SessionClock } from './clock.ts'
import { createInflow } from './inflow.ts'
import type { ConnectionInput, UntimedInput, Without } from './input.ts'
import { CLOSE_GRACE_MS, CLOSE_TOO_LARGE } from './limits.ts'

/** A channel under the machine's number for it, and the promise that it is gone. */
export type Link = {
  readonly connection: number
  readonly channel: Channel
  readonly ended: Promise<void>
  /** Closing handshake, then force when the other side lets it wait. */
  readonly end: (code: number) => void
}

/** Opens a channel and feeds what happens on it, under its number. */
export function openLink(parameters: {
  readonly connection: number
  readonly url: string
  readonly frameLimitBytes: number
  readonly openChannel: OpenChannel
  readonly clock: SessionClock
  readonly read: (text: string, limitBytes: number) => ServerMessage
  readonly feed: (input: UntimedInput) => void
}): Link {
  const { connection, url, frameLimitBytes, openChannel, clock, read, feed } = parameters
  const report = (input: Without<ConnectionInput, 'connection'>): void =>
    feed({ ...input, connection } as UntimedInput)
  let channel: Channel | undefined
  let isGone = false
  let stopGrace: (() => void) | null = null
  let onEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    onEnded = resolve
  })
  const inflow = createInflow({
    clock,
    take: (text) => report({ type: 'message', message: read(text, frameLimitBytes) }),
    onFlooded: () => {
      force()
      report({ type: 'closed', code: CLOSE_TOO_LARGE })
    },
  })
  const gone = (): void => {
    isGone = true
    inflow.end()
    stopGrace?.()
    onEnded()
  }
  channel = openChannel({
    url,
    frameLimitBytes,
    handlers: {
      opened: () => report({ type: 'opened', canPing: channel?.ping !== undefined }),
      received: inflow.offer,
      pong: () => report({ type: 'pong' }),
      // What came before the end is read before it.
      closed: (code, reason) =>
        inflow.finish(() => {
          gone()
          report({ type: 'closed', code, reason })
        }),
      failed: (detail, answer) => {
        gone()
        report({ type: 'failed', detail, answer })
      },
    },
  })
  const force = (): void => {
    guarded(() => channel?.terminate())()
    gone()
  }
  const end = (code: number): void => {
    if (isGone || stopGrace !== null) return
    inflow.end()
    stopGrace = clock.after(CLOSE_GRACE_MS, force)
    guarded(() => channel?.close(code))()
  }
  return { connection, channel, ended, end }
}
