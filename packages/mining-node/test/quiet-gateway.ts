import type { OpenChannel } from '../src/session/channel.ts'

/** Opens every connection at once, sends nothing, and counts the connections that are open. */
export function quietGateway() {
  const open = new Set<object>()
  const openChannel: OpenChannel = ({ handlers }) => {
    const channel = {
      send: () => undefined,
      close: (code: number) => {
        if (open.delete(channel)) queueMicrotask(() => handlers.closed(code))
      },
      terminate: () => void open.delete(channel),
    }
    open.add(channel)
    queueMicrotask(() => handlers.opened())
    return channel
  }
  return { openChannel, openCount: () => open.size }
}
