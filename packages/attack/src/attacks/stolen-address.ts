import { defineFlood } from '../flood/define-flood.ts'
import { hailText, keepSockets } from '../flood/open-sockets.ts'

const SOCKETS = 10

/** Hails with the address of the honest miner, without its key. */
export const stolenAddress = defineFlood({
  name: 'stolen-address',
  row: 'A-9',
  what: `${SOCKETS} sockets hail with the honest miner's address and no signature, again when closed`,
  async flood({ gatewayUrl, accounts, signal }) {
    const victim = accounts[0]?.address ?? ''
    let hailed = 0
    await keepSockets({
      url: gatewayUrl,
      count: SOCKETS,
      signal,
      onOpen: (socket) => {
        hailed++
        socket.send(hailText(victim))
      },
    })
    return { hails: hailed }
  },
})
