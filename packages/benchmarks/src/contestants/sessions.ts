/** Many sessions that send a frame now and then, in a process of its own. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { answerParent } from '../child.ts'

const FRAME = 'x'.repeat(400)
const AT_ONCE = 100

answerParent({
  start: async ({ url, sessions, everyMs }: { url: string; sessions: number; everyMs: number }) => {
    const sockets: WebSocket[] = []
    let answered = 0
    for (let begun = 0; begun < sessions; begun += AT_ONCE) {
      const next = Array.from({ length: Math.min(AT_ONCE, sessions - begun) }, () => {
        const socket = new WebSocket(url, { perMessageDeflate: false })
        socket.on('message', () => answered++)
        return socket
      })
      await Promise.all(next.map((socket) => once(socket, 'open')))
      sockets.push(...next)
    }
    let at = 0
    const gapMs = 20
    setInterval(() => {
      for (let count = 0; count < (sessions * gapMs) / everyMs; count++) sockets[at++ % sessions]?.send(FRAME)
    }, gapMs)
    return sockets.length
  },
})
