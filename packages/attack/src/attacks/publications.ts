import { type PrivateKey, parseJson, publicationText, signText } from '@hailstone/protocol'
import { defineFlood } from '../flood/define-flood.ts'
import { hailText, keepSockets } from '../flood/open-sockets.ts'

const MAX_UNSENT_BYTES = 1024 * 1024

/** Two miners with stake answer every beacon, and then repeat the answer without end. */
export const publications = defineFlood({
  name: 'publications',
  row: 'A-7',
  what: 'two miners with stake repeat their valid publications as often as they can',
  async flood({ gatewayUrl, nativeTokenId, accounts, signal }) {
    let sent = 0
    const flooders = accounts.slice(1, 3).map(({ address, privateKey }) =>
      keepSockets({
        url: gatewayUrl,
        count: 1,
        signal,
        onOpen: (socket) => {
          let publication: string | null = null
          socket.on('message', (data) => {
            const frame = parseJson(String(data)) as { method?: string; data?: Record<string, never> }
            if (frame.method !== 'on_leader_beacon' || frame.data === undefined) return
            const microblockHash = String(frame.data.m_hash)
            const text = publicationText({ microblockHash, referralAgent: null, tokenId: nativeTokenId })
            const { kblocks_hash } = frame.data.mblock_data as unknown as { kblocks_hash: string }
            const sign = signText(text, privateKey as PrivateKey)
            const given = { kblocks_hash, m_hash: microblockHash, sign, id: address, token: nativeTokenId }
            publication = JSON.stringify({ ver: 4, method: 'publish', data: given })
          })
          socket.send(hailText(address))
          const more = (): void => {
            if (socket.readyState !== socket.OPEN || signal.aborted) return
            for (let count = 0; publication !== null && count < 500; count++) {
              if (socket.bufferedAmount > MAX_UNSENT_BYTES) break
              socket.send(publication)
              sent++
            }
            setTimeout(more, 2)
          }
          more()
        },
      }),
    )
    await Promise.all(flooders)
    return { 'publications sent': sent }
  },
})
