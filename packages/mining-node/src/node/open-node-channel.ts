import type { Channel, OpenChannel } from '../session/channel.ts'

let openLoaded: OpenChannel | undefined

/**
 * Opens sockets of undici, which is loaded with the first of them: to load it costs as much as everything else of
 * this package, and a program that makes wallets or asks for a balance needs no socket.
 */
export const openNodeChannel: OpenChannel = (parameters) =>
  openLoaded === undefined ? openOnceLoaded(parameters) : openLoaded(parameters)

const openOnceLoaded: OpenChannel = (parameters) => {
  const { handlers } = parameters
  let channel: Channel | undefined
  let isGivenUp = false
  const load = async (): Promise<void> => {
    const { openUndiciChannel } = await import('./open-undici-channel.ts')
    openLoaded = openUndiciChannel
    if (isGivenUp) handlers.failed('it was closed before it was open')
    else channel = openUndiciChannel(parameters)
  }
  load().catch((error: unknown) => handlers.failed(String(error)))
  const end = (way: (opened: Channel) => void): void => {
    isGivenUp = true
    if (channel !== undefined) way(channel)
  }
  return {
    send: (text) => {
      if (channel === undefined) throw new Error('the socket is not open')
      channel.send(text)
    },
    ping: () => channel?.ping?.(),
    close: (code) => end((opened) => opened.close(code)),
    terminate: () => end((opened) => opened.terminate()),
  }
}
