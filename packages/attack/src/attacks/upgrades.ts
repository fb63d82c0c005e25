import { defineFlood } from '../flood/define-flood.ts'
import { frameOf, keepRawSockets, upgradeText } from '../flood/raw-sockets.ts'

const KEPT = 6000
const CHURNED = 200

const PING = 9
const TEXT = 1
const CONTINUATION = 0
const PINGS = Buffer.concat(Array.from({ length: 50 }, () => frameOf(Buffer.alloc(125), { opcode: PING })))
const PART = Buffer.alloc(1000, '[')

/** Upgrades that stay silent, and upgrades without end at both ports, with pings and messages that never end. */
export const upgrades = defineFlood({
  name: 'upgrades',
  row: 'A-8',
  what: `${KEPT} sockets upgrade and say nothing, ${CHURNED} more upgrade, ping, begin messages and close, again and again`,
  async flood({ apiUrl, gatewayUrl, signal }) {
    const upgrade = upgradeText('127.0.0.1')
    const keep = (url: string, count: number, onOpen: Parameters<typeof keepRawSockets>[0]['onOpen']) =>
      keepRawSockets({ url, count, signal, onOpen, addresses: 20 })
    const [silent, churned, atApi] = await Promise.all([
      keep(gatewayUrl, KEPT, (socket, number) => {
        socket.write(upgrade)
        // A message in parts of which none is the last.
        if (number % 3 === 0) {
          socket.write(frameOf(PART, { opcode: TEXT, isFinal: false }))
          socket.write(frameOf(PART, { opcode: CONTINUATION, isFinal: false }))
        }
      }),
      keep(gatewayUrl, CHURNED, (socket) => {
        socket.write(upgrade)
        socket.write(PINGS)
        setTimeout(() => socket.destroy(), 50)
      }),
      keep(apiUrl, CHURNED, (socket, number) => {
        socket.write(number % 2 === 0 ? upgrade : 'CONNECT a:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
        setTimeout(() => socket.destroy(), 50)
      }),
    ])
    return {
      'silent sockets': silent.opened,
      'upgraded and closed': churned.opened,
      'upgrades at the API': atApi.opened,
    }
  },
})
