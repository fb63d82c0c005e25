import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createControlFrameLimit } from '../src/node/control-frame-limit.ts'
import { openUndiciChannel } from '../src/node/open-undici-channel.ts'

const servers: WebSocketServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

/** A gateway that sends control frames without end, in packets of so many, and counts the pongs it gets. */
async function floodingGateway(
  opcode: 9 | 10,
): Promise<{ readonly url: string; readonly pongs: () => number }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  servers.push(server)
  await once(server, 'listening')
  let pongs = 0
  server.on('connection', (socket, { socket: raw }) => {
    socket.on('error', () => {})
    socket.on('pong', () => pongs++)
    const packet = Buffer.alloc(40_000, Buffer.from([0x80 | opcode, 0]))
    const write = (): void => {
      if (!raw.destroyed) raw.write(packet, () => setImmediate(write))
    }
    write()
  })
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}`, pongs: () => pongs }
}

test.each([9, 10] as const)(
  'A-12: a gateway that floods with control frames (%i) is left',
  async (opcode) => {
    const { url, pongs } = await floodingGateway(opcode)
    const codes: number[] = []
    let heard = 0
    await new Promise<void>((resolve, reject) => {
      openUndiciChannel({
        url,
        frameLimitBytes: 100_000,
        handlers: {
          opened: () => {},
          received: () => {},
          pong: () => heard++,
          closed: (code) => {
            codes.push(code)
            resolve()
          },
          failed: reject,
        },
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(codes).toEqual([1009])
    expect(heard).toBeLessThanOrEqual(100)
    expect(pongs()).toBeLessThanOrEqual(100)
  },
)

test('A-12: some control frames at once are allowed, and some more in each second', () => {
  let nowMs = 0
  const { allowsOne } = createControlFrameLimit(() => nowMs)
  const allowed = () => Array.from({ length: 200 }, allowsOne).filter(Boolean).length
  expect(allowed()).toBe(64)
  nowMs += 60_000
  expect(allowed()).toBe(64)
})
