// A gateway in a process of its own, so that it can be stopped dead: it accepts and answers pings.
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('listening', () => console.log(server.address().port))
server.on('connection', (socket) => socket.on('error', () => undefined))
