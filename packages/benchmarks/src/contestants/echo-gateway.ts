/** A gateway that echoes, in a process of its own. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { answerParent } from '../child.ts'

answerParent({
  listen: async () => {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      perMessageDeflate: false,
      backlog: 4_096,
    })
    server.on('connection', (socket) => {
      socket.on('error', () => undefined)
      socket.on('message', (data) => socket.send(data, { binary: false }))
    })
    await once(server, 'listening')
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
