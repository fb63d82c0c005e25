import { once } from 'node:events'
import { sha256Hex } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { gateSize } from '../../../scripts/gate-size.ts'
import { createTextVerifier } from '../src/verify-text.ts'
import { describePostgres } from './engines.ts'
import { queryDatabase } from './postgres-server.ts'
import { openProxy } from './proxy.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

/** Number of miners. Larger size: HAILSTONE_MINERS=8000 npx vitest run test/gateway-costs.night.test.ts */
const MINERS = gateSize('HAILSTONE_MINERS', 400)
/** Messages of the leader, which says something once a second. */
const BEATS = 4

/** Stands before the leader and counts what passes. */
async function countingProxy(port: number) {
  let [bytesToLeader, messagesOfLeader] = [0, 0]
  const proxy = await openProxy(port, (gateway, leader) => {
    gateway.on('data', ({ length }) => {
      bytesToLeader += length
    })
    leader.on('data', () => {
      messagesOfLeader++
    })
  })
  async function messages(count: number): Promise<number> {
    const [from, since] = [bytesToLeader, messagesOfLeader]
    await until(() => messagesOfLeader >= since + count)
    return bytesToLeader - from
  }
  return {
    ...proxy,
    /** Bytes for each message of the leader, once what was new has been said. */
    bytesAtRest: async () => {
      await messages(BEATS)
      return (await messages(BEATS)) / BEATS
    },
  }
}

describePostgres('what miners of another process cost the leader', (server) => {
  const ends: (() => Promise<unknown> | unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  async function start(changes: Parameters<typeof quickNetwork>[0]): Promise<QuickNetwork> {
    const network = await quickNetwork(changes)
    ends.push(() => network[Symbol.asyncDispose]())
    return network
  }

  test('D-5: miners that stay as they are cost no message, however many they are', async () => {
    const database = await server().createDatabase()
    const leader = await start({ database, keepAlive: false })
    const follower = await start({ database, keepAlive: false })
    const [row] = await queryDatabase(database, 'select relay from leadership')
    const proxy = await countingProxy(Number(String(row?.relay).split(':')[1]))
    ends.push(proxy.close)
    await queryDatabase(database, `update leadership set relay = '127.0.0.1:${proxy.port}'`)
    let opened = 0
    const hail = async (count: number): Promise<void> => {
      for (; opened < count; opened++) {
        const socket = new WebSocket(follower.url)
        ends.push(() => socket.terminate())
        await once(socket, 'open')
        const data = { id: `02${sha256Hex(`miner ${opened}`)}`, hash: '', sign: '' }
        socket.send(JSON.stringify({ ver: 4, method: 'hail', data }))
      }
      await until(() => leader.minersOnline().length === count)
    }
    await hail(2)
    const few = await proxy.bytesAtRest()
    await hail(MINERS)
    expect(few).toBeGreaterThan(0)
    // The number itself has more digits. A busy machine may send what belongs to the hails a little later.
    await expect.poll(async () => (await proxy.bytesAtRest()) - few).toBeLessThan(20)
  })

  test('D-6: a publication is verified once, where its miner is, and its transactions where they were posted', async () => {
    const database = await server().createDatabase()
    const verified = [0, 0]
    const counting = (at: 0 | 1): NonNullable<Parameters<typeof quickNetwork>[0]>['verify'] => {
      const verify = createTextVerifier()
      return (given) => {
        verified[at] = (verified[at] ?? 0) + 1
        return verify(given)
      }
    }
    const leader = await start({ database, fallbackMiner: false, verify: counting(0) })
    const follower = await start({ database, verify: counting(1) })
    let accepted = 0
    follower.on('publicationJudged', ({ verdict }) => {
      if (verdict === 'accepted') accepted++
    })
    const [account] = follower.genesis.accounts.developers
    if (account === undefined) throw new Error('there are five developers')
    const miner = await rawMiner(follower.url, { privateKey: account.privateKey })
    ends.push(() => miner.socket.terminate())
    miner.mine()
    miner.hail()
    for (let block = 0; block < 5; block++) {
      await until(() => (leader.producer.openMacroblock()?.microblocks.length ?? 0) > 0)
      await leader.producer.closeNow()
    }
    expect(accepted).toBeGreaterThanOrEqual(5)
    expect(verified).toEqual([0, accepted])
  })
})
