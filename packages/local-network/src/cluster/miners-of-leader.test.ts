import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address, TokenId } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../test/until.ts'
import { createMinersOfLeader, formatMiners, MINERS_PATH } from './miners-of-leader.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A leader that answers as it is told, and the follower's list of its miners, on a clock that stands still. */
async function setUp(first: Answer) {
  let answer = first
  let nowMs = 0
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const relay = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const miners = createMinersOfLeader(() => nowMs)
  return {
    list: miners.list,
    asked: () => asked,
    answerWith: (next: Answer) => {
      answer = next
    },
    /** Refreshes the list, with a second between two requests, until the claim holds. */
    refreshUntil: (claim: () => boolean) =>
      until(() => {
        nowMs += 1000
        miners.refresh(relay)
        return claim()
      }),
    refresh: () => miners.refresh(relay),
    lose: () => miners.refresh(null),
  }
}

const [native, other] = ['0'.repeat(64), 'a'.repeat(64)] as readonly string[] as [TokenId, TokenId]
const someone = (number: number, tokenId = native) => ({
  address: `02${String(number).padStart(64, '0')}` as Address,
  tokenId,
})

const listing =
  (version: string, miners: readonly ReturnType<typeof someone>[]): Answer =>
  (request, response) => {
    if (request.url !== MINERS_PATH) response.writeHead(404).end()
    else if (request.headers['if-none-match'] === version) response.writeHead(304).end()
    else response.writeHead(200, { etag: version }).end(formatMiners(miners))
  }

test('a follower lists what the leader lists, each miner with its token', async () => {
  const miners = [someone(1), someone(2, other), someone(3)]
  const follower = await setUp(listing('"1"', miners))
  expect(follower.list()).toEqual([])
  await follower.refreshUntil(() => follower.list().length === 3)
  expect(new Set(follower.list())).toEqual(new Set(miners))
})

test('a list that has not changed is not sent again', async () => {
  let sent = 0
  const answer = listing('"1"', [someone(1)])
  const follower = await setUp((request, response) => {
    if (request.headers['if-none-match'] === undefined) sent++
    answer(request, response)
  })
  await follower.refreshUntil(() => follower.asked() >= 4)
  expect(sent).toBe(1)
  expect(follower.list()).toHaveLength(1)
})

test('a leader is asked once a second, whatever is asked here', async () => {
  const follower = await setUp(listing('"1"', [someone(1)]))
  await follower.refreshUntil(() => follower.list().length === 1)
  const asked = follower.asked()
  for (let again = 0; again < 50; again++) follower.refresh()
  expect(follower.asked()).toBe(asked)
})

test.each<readonly [string, Answer]>([
  ['refuses', (_, response) => void response.writeHead(426).end()],
  ['talks nonsense', (_, response) => void response.writeHead(200).end('{"a":1')],
  ['lists without end', (_, response) => void response.writeHead(200).end(Buffer.alloc(5 * 1024 * 1024))],
  ['hangs up', ({ socket }) => void socket.destroy()],
])('a leader that %s changes nothing of what is known', async (_, answer) => {
  const follower = await setUp(listing('"1"', [someone(1)]))
  await follower.refreshUntil(() => follower.list().length === 1)
  follower.answerWith(answer)
  const asked = follower.asked()
  await follower.refreshUntil(() => follower.asked() >= asked + 3)
  expect(follower.list()).toEqual([someone(1)])
  follower.answerWith(listing('"2"', [someone(1), someone(2)]))
  await follower.refreshUntil(() => follower.list().length === 2)
})

test('without a leader nobody is online', async () => {
  const follower = await setUp(listing('"1"', [someone(1)]))
  await follower.refreshUntil(() => follower.list().length === 1)
  follower.lose()
  expect(follower.list()).toEqual([])
})
