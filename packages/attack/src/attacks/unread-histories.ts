import { defineFlood } from '../flood/define-flood.ts'
import { keepRawSockets } from '../flood/raw-sockets.ts'

const CONNECTIONS = 300
const REQUESTS = 200

/** Asks for what the database has to search, and reads no answer. */
export const unreadHistories = defineFlood({
  name: 'unread-histories',
  row: 'A-6',
  what: `${CONNECTIONS} connections ask for ${REQUESTS} pages of histories each and read none; anew when cut`,
  async flood({ apiUrl, accounts, signal }) {
    const paths = ['account_transactions', 'account_mreward', 'account_in', 'account_out', 'account']
    const requests = Array.from({ length: REQUESTS }, (_, number) => {
      const { address } = accounts[number % accounts.length] ?? { address: '' }
      const path = paths[number % paths.length]
      return `GET /api/v1/${path}?id=${address}&page=${number % 7} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    })
    const batch = requests.join('')
    const { opened } = await keepRawSockets({
      url: apiUrl,
      count: CONNECTIONS,
      signal,
      reads: false,
      onOpen: (socket) => socket.write(batch),
    })
    return { 'connections opened': opened }
  },
})
