import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Frame } from './raw-miner.ts'
import { beaconsOf, isBeacon, useFaultyGateway } from './use-faulty-gateway.ts'

const given = useFaultyGateway()
const { fault, hailed, opinion, judgements, hailText } = given

const BEACON = { message: 'on_leader_beacon' } as const

describe('forgeries', () => {
  test.each([
    ['amount', 'transactionSignatureNotValid', 'notOutstandingBeacon'],
    // It keeps the hash of the genuine one: what a careless miner signs is what was offered.
    ['statedHash', 'statedTransactionHashDiffers', 'accepted'],
    ['signature', 'transactionSignatureNotValid', 'notOutstandingBeacon'],
    ['microblockHash', 'microblockHashDiffers', 'notOutstandingBeacon'],
    ['publisher', 'addressedToAnotherPublisher', 'notOutstandingBeacon'],
    ['empty', 'noTransactions', 'notOutstandingBeacon'],
  ] as const)(
    '%s: an honest miner sees that %s; of a careless one it is %s',
    async (what, refusal, verdict) => {
      using heard = judgements()
      fault({ forge: { what } }, { ...BEACON, nth: 1 })
      const miner = await hailed()
      const beacon = await miner.next()
      expect(opinion(beacon)).toBe(refusal)
      miner.publish(beacon)
      await expect.poll(() => heard.verdicts).toEqual([verdict])
    },
  )

  test.each(['futureKeyBlock', 'pastKeyBlock', 'otherNonce', 'leaderSignature'] as const)(
    '%s: the content is in order, and not what was offered',
    async (what) => {
      const offered: string[] = []
      const off = given.network.on('beaconOffered', ({ microblockHash }) => offered.push(microblockHash))
      fault({ forge: { what, instead: false } }, { ...BEACON, nth: 1 })
      const miner = await hailed()
      const [forged, genuine] = [await miner.next(), await miner.next()]
      off()
      expect([opinion(forged), opinion(genuine)]).toEqual(['signed', 'signed'])
      expect(genuine.data?.m_hash).toBe(offered[0])
      expect(forged.data?.m_hash === offered[0]).toBe(what === 'leaderSignature')
      const keyBlock = ({ data }: Frame) =>
        (data?.mblock_data as { readonly kblocks_hash: string } | undefined)?.kblocks_hash
      expect(keyBlock(forged) === keyBlock(genuine)).toBe(what === 'otherNonce' || what === 'leaderSignature')
      expect(forged.data?.leader_sign !== undefined).toBe(what === 'leaderSignature')
    },
  )

  test('old beacons come again and again', async () => {
    fault({ replay: { which: 'first', times: 1000 } }, { ...BEACON, nth: 2 })
    const miner = await hailed()
    await expect.poll(() => beaconsOf(miner).length).toBeGreaterThan(1001)
    const [first] = beaconsOf(miner)
    const again = beaconsOf(miner).filter(({ data }) => data?.m_hash === first?.data?.m_hash)
    // The network itself may offer the same content again, too.
    expect(again.length).toBeGreaterThanOrEqual(1001)
    expect(given.network.faults.fired()).toMatchObject([{ occurrence: 2, detail: { sent: 1000 } }])
  })

  test('beacons flood in, each of them another one', async () => {
    fault({ flood: { beacons: 2000 } }, { ...BEACON, nth: 1 })
    const miner = await hailed()
    await expect.poll(() => beaconsOf(miner).length).toBeGreaterThan(2000)
    expect(new Set(beaconsOf(miner).map(({ data }) => data?.m_hash)).size).toBeGreaterThan(2000)
    expect(miner.isOpen()).toBe(true)
  })

  test('a frame is far too large, or holds far too many transactions', async () => {
    const firstText = async (): Promise<string> => {
      const socket = new WebSocket(given.network.gatewayUrl)
      socket.on('open', () => socket.send(hailText(0)))
      const [data] = await once(socket, 'message')
      socket.terminate()
      // Its next beacon would be the first one of the next script.
      await expect.poll(() => given.network.gateway.minersOnline()).toEqual([])
      return String(data)
    }
    // The first beacon alone, and less than the gateway leaves unread before it cuts the connection: with 5 MB every
    // 20 ms a busy machine never comes to the end of one.
    fault({ oversized: { bytes: 900_000 } }, { ...BEACON, nth: 1 })
    expect(await firstText()).toHaveLength(900_000)
    fault({ oversized: { transactions: 1500 } }, { ...BEACON, nth: 1 })
    const { data } = JSON.parse(await firstText())
    expect(data.mblock_data.txs).toHaveLength(1500)
  })

  test('a peer message leads elsewhere', async () => {
    fault({ peer: { host: '192.168.1.1', port: 80 } }, { ...BEACON, nth: 1 })
    const miner = await hailed()
    expect(await miner.next()).toEqual({ ver: 4n, method: 'peer', data: { ip: '192.168.1.1', port: 80n } })
    expect(isBeacon(await miner.next())).toBe(true)
  })

  test.each(['ERR_DUPLICATE_KEY', 'ERR_WRONG_PROTOCOL_VERSION', 'ERR_ELSE'])(
    'the gateway says %s',
    async (err) => {
      fault({ say: { json: { ver: 4, err }, instead: true } }, BEACON)
      expect(await (await hailed()).next()).toEqual({ ver: 4n, err })
    },
  )
})
