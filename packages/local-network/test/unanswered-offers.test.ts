import { describe, expect, test } from 'vitest'
import { describePostgresByNight } from './engines.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type Frame, type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'
import { startFollower } from './use-gateway.ts'

const hashOf = (beacon: Frame): string => String(beacon.data?.m_hash)

/** Two miners: of the token whose owner has places of his own, so that its miners come first, and of the native one. */
async function twoMiners({ genesis, url }: QuickNetwork): Promise<readonly [RawMiner, RawMiner]> {
  const [one, other] = genesis.accounts.developers
  if (one === undefined || other === undefined) throw new Error('there are five developers')
  return [
    await rawMiner(url, { privateKey: one.privateKey, token: genesis.tokens.mineable.id }),
    await rawMiner(url, { privateKey: other.privateKey }),
  ]
}

/**
 * Answers some beacons when the next one has come, and is ignored, since the gateway takes the answer to its newest beacon
 * only (PROTOCOL 5.8, rule 3). Answers the others at once. Signs no microblock twice, as the mining node.
 */
function crossAnswers(miner: RawMiner, count: number): () => number {
  const signed = new Set<string>()
  let late: Frame | null = null
  let crossed = 0
  const sign = (beacon: Frame): void => {
    if (!signed.has(hashOf(beacon))) miner.publish(beacon)
    signed.add(hashOf(beacon))
  }
  miner.socket.on('message', () => {
    const beacon = miner.frames.at(-1)
    if (beacon?.method !== 'on_leader_beacon') return
    if (late === null && crossed < count) {
      late = beacon
      return
    }
    if (late !== null && hashOf(late) !== hashOf(beacon)) {
      sign(late)
      crossed++
      late = crossed < count ? beacon : null
    }
    if (late === null) sign(beacon)
  })
  return () => crossed
}

const isNativeMined = ({ producer, genesis }: QuickNetwork): boolean =>
  producer.openMacroblock()?.isMinedIn(genesis.tokens.native.id) === true

const tests = (start: () => Promise<QuickNetwork>): void => {
  test('what a miner has signed in vain is left to the miners of the native token', async () => {
    await using network = await start()
    const [custom, native] = await twoMiners(network)
    const crossed = crossAnswers(custom, 1)
    custom.hail()
    // Another payment to be offered, so that the first answer comes too late.
    await until(() => custom.frames.length > 0)
    native.hail()
    await until(() => crossed() === 1)
    native.mine()
    await until(() => isNativeMined(network), 60_000)
    for (const miner of [custom, native]) miner.close()
  })

  test('a miner whose answers crossed the next beacons is offered what it has not signed', async () => {
    await using network = await start()
    const [silent, native] = await twoMiners(network)
    silent.hail()
    const crossed = crossAnswers(native, 2)
    native.hail()
    await until(() => isNativeMined(network), 60_000)
    expect(crossed()).toBe(2)
    for (const miner of [silent, native]) miner.close()
  })
}

describe('offers in vain', () => tests(() => quickNetwork({ fallbackMiner: false })))
describePostgresByNight('offers in vain, at a process that follows', (server) =>
  tests(async () => startFollower(await server().createDatabase(), { fallbackMiner: false })),
)

test('the pool stays small where miners answer nothing', async () => {
  await using network = await quickNetwork({ fallbackMiner: false })
  const miners = await twoMiners(network)
  for (const miner of miners) miner.hail()
  // Enough for each payment to be offered some ten times.
  await until(() => miners.every(({ frames }) => frames.length >= 60))
  expect(network.mempool.size).toBeLessThanOrEqual(12)
  for (const miner of miners) miner.close()
})
