import WebSocket from 'ws'
import { defineFlood } from '../flood/define-flood.ts'
import { hailText, keepSockets, strangerAddress } from '../flood/open-sockets.ts'

const STRANGERS = 5000
const LOOPS = 2

/** Fills the gateway with strangers and hails without end beside them. */
export const hails = defineFlood({
  name: 'hails',
  row: 'A-7',
  what: `${STRANGERS} strangers stay connected, ${LOOPS} loops connect, hail and close, and others hail again and again`,
  async flood({ gatewayUrl, signal }) {
    let churned = 0
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        await new Promise<void>((resolve) => {
          const socket = new WebSocket(gatewayUrl, { perMessageDeflate: false })
          socket.on('error', () => {})
          socket.once('close', () => resolve())
          socket.once('open', () => {
            churned++
            socket.send(hailText(strangerAddress()))
            socket.close()
          })
        })
      }
    }
    let sent = 0
    const strangers = keepSockets({
      url: gatewayUrl,
      count: STRANGERS,
      signal,
      onOpen: (socket) => socket.send(hailText(strangerAddress())),
    })
    const renaming = keepSockets({
      url: gatewayUrl,
      count: LOOPS,
      signal,
      onOpen: (socket) => {
        const more = (): void => {
          if (socket.readyState !== socket.OPEN || signal.aborted) return
          if (socket.bufferedAmount < 1024 * 1024)
            for (let count = 0; count < 500; count++, sent++) socket.send(hailText(strangerAddress()))
          setTimeout(more, 5)
        }
        more()
      },
    })
    const loops = Array.from({ length: LOOPS }, loop)
    const [{ opened }] = await Promise.all([strangers, renaming, ...loops])
    return { 'strangers connected': opened, 'hail and close': churned, 'hails sent': sent }
  },
})
