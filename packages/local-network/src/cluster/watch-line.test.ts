import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../test/until.ts'
import { WebSocketServer } from '../gateway/web-socket-server.ts'
import { type Line, watchLine } from './watch-line.ts'
import { WebSocket } from './web-socket.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Both ends of a line over a real connection, with what the second one has received. */
async function openLine() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  ends.push(() => server.close())
  await once(server, 'listening')
  const heard: string[] = []
  let frames = 0
  const accepted = once(server, 'connection').then(([socket]) => {
    socket.on('message', () => {
      frames++
    })
    watchLine(socket, {
      heard: (text) => heard.push(text),
      beat: () => {},
      closed: () => {},
      failed: () => {},
    })
    ends.push(() => socket.terminate())
  })
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const line: Line = watchLine(socket, {
    heard: () => {},
    beat: () => {},
    closed: () => {},
    failed: () => {},
  })
  ends.push(line.cut)
  await Promise.all([accepted, once(socket, 'open')])
  return { line, heard, frames: () => frames }
}

test('what is said in one turn of the event loop comes in one frame, in its order', async () => {
  const { line, heard, frames } = await openLine()
  for (const text of ['{"a":1}', '{"b":"\\n"}', '{"c":3}']) line.send(text)
  await until(() => heard.length === 3)
  expect(heard).toEqual(['{"a":1}', '{"b":"\\n"}', '{"c":3}'])
  expect(frames()).toBe(1)
  line.send('{"d":4}')
  await until(() => heard.length === 4)
  expect(frames()).toBe(2)
})

test('what may wait goes with what may not, and never behind it', async () => {
  const { line, heard, frames } = await openLine()
  line.send('1', 600_000)
  line.send('2', 300_000)
  line.send('3')
  await until(() => heard.length === 3)
  expect([heard, frames()]).toEqual([['1', '2', '3'], 1])
  line.send('4', 20)
  line.send('5', 600_000)
  await until(() => heard.length === 5)
  expect([heard.slice(3), frames()]).toEqual([['4', '5'], 2])
})

test('long texts do not wait for one another', async () => {
  const { line, heard, frames } = await openLine()
  const long = 'x'.repeat(700_000)
  for (let sent = 0; sent < 4; sent++) line.send(long)
  await until(() => heard.length === 4)
  expect(frames()).toBe(2)
  expect(new Set(heard)).toEqual(new Set([long]))
})
