import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Connections begun in one go; all at once, they would keep this process from stopping in time. */
const AT_ONCE = 100
const PAUSE_MS = 10

/**
 * Keeps so many TCP connections open until the signal aborts, opening new ones for those that are closed. They come
 * from many loopback addresses where the system has them all (Linux does) and `addresses` is more than one.
 */
export async function keepRawSockets(parameters: {
  /** Any address of the port that is meant. */
  readonly url: string
  readonly count: number
  readonly signal: AbortSignal
  /** Called with each connection that is there. */
  readonly onOpen: (socket: Socket, number: number) => void
  /** Addresses of this machine the connections come from. @default 1 */
  readonly addresses?: number | undefined
  /** Reads and forgets what comes. @default true */
  readonly reads?: boolean | undefined
}): Promise<{ readonly opened: number; readonly closedByServer: number }> {
  const { url, count, signal, onOpen, addresses = 1, reads = true } = parameters
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let opened = 0
  let closed = 0
  while (!signal.aborted) {
    for (let begun = 0; open.size < count && begun < AT_ONCE; begun++) {
      const number = opened++
      const from = addresses > 1 ? { localAddress: `127.0.0.${2 + (number % addresses)}` } : {}
      const socket = createConnection({ host: hostname, port: Number(port), ...from }, () =>
        onOpen(socket, number),
      )
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        closed++
      })
      if (reads) socket.resume()
      else socket.pause()
    }
    await sleep(PAUSE_MS)
  }
  for (const socket of open) socket.destroy()
  return { opened, closedByServer: closed }
}

/** Writes something again and again until the connection is gone. */
export function drip(socket: Socket, text: string | (() => string), everyMs: number): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(typeof text === 'string' ? text : text())
    else clearInterval(timer)
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** An upgrade as a browser asks for it, with what is to be added to its head. */
export const upgradeText = (host: string, more = ''): string =>
  [
    'GET / HTTP/1.1',
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `${more}\r\n`,
  ].join('\r\n')

/** A frame as clients send it, masked with zeros. */
export function frameOf(
  payload: Buffer,
  options: { readonly opcode: number; readonly isFinal?: boolean; readonly isCompressed?: boolean },
): Buffer {
  const { opcode, isFinal = true, isCompressed = false } = options
  const first = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode
  const { length } = payload
  const head =
    length < 126
      ? Buffer.from([first, 0x80 | length])
      : length < 65_536
        ? Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, 0x80 | 127, 0, 0, 0, 0]), uint32(length)])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
