import { parsePrivateKey, type Transaction } from '@hailstone/protocol'
import { afterEach, expect, test } from 'vitest'
import type { Offer } from '../src/leader/gateway-end.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

const HOUR = 3_600_000
const ends: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A gateway with one miner, to which the test says what a leader would say. */
async function setUp() {
  const network = await quickNetwork({ gateway: { feederIntervalMs: HOUR, beaconIntervalMs: 1000 } })
  ends.push(() => network[Symbol.asyncDispose]())
  const [account] = network.genesis.accounts.developers
  const miner = await rawMiner(network.url, { privateKey: parsePrivateKey(account?.privateKey ?? '') })
  ends.push(() => miner.close())
  miner.hail()
  await until(() => network.gateway.stand().staked === 1)
  return { network, miner }
}

let lastId = 0
/** Returns the weight of the miner that has it; null for nobody. */
function offer({ gateway, genesis, producer }: QuickNetwork, nowMs: number): bigint | null {
  const transactions: readonly Transaction[] = []
  const group = { tokenId: genesis.tokens.native.id, isStaked: true }
  const content: Offer = {
    ...group,
    id: ++lastId,
    keyBlockHash: producer.openKeyBlock().hash,
    nowMs,
    transactions,
  }
  let weight: bigint | null = null
  gateway.offer(content, (answer) => {
    weight = answer
  })
  return weight
}

/** Lets the miner publish with a signature that is wrong, and waits until that is refused. */
async function publishWrongly({ on }: QuickNetwork, miner: RawMiner): Promise<void> {
  const refused = new Promise<void>((resolve) => {
    on('publicationJudged', ({ verdict }) => {
      if (verdict === 'refused') resolve()
    })
  })
  miner.publish(await miner.next(), { change: { sign: '00' } })
  await refused
}

test('a miner rests by the clock of the leader alone', async () => {
  for (const shiftMs of [HOUR, -HOUR]) {
    const { network } = await setUp()
    const nowMs = Date.now() + shiftMs
    expect(offer(network, nowMs)).not.toBeNull()
    network.gateway.stand().all(true)
    expect(offer(network, nowMs + 100)).toBeNull()
    expect(offer(network, nowMs + 1000)).not.toBeNull()
  }
})

test('a miner whose publication was refused is offered nothing more', async () => {
  const { network, miner } = await setUp()
  expect(offer(network, Date.now())).not.toBeNull()
  await publishWrongly(network, miner)
  expect(offer(network, Date.now() + 2000)).toBeNull()
  await miner.closed
})
