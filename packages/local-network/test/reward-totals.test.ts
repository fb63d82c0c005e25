import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CalculatedMacroblock } from '../src/chain/calculated-macroblock.ts'
import { openChainFolder, openChainServer } from '../src/store/chain-database.ts'
import type { ChainStore } from '../src/store/index.ts'
import { openChainStore } from '../src/store/index.ts'
import { describeBothEngines } from './engines.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
const BLOCKS = 5

/** Added up from the records, as anybody could do it. */
function expectedSince(closed: readonly CalculatedMacroblock[], native: string, height: number) {
  const paid = { miners: 0n, keyBlocks: 0n, stakePools: 0n }
  for (const { macroblock, closed: calculated } of closed.slice(height)) {
    const ofOtherTokens = macroblock.microblocks.filter(({ tokenId }) => tokenId !== native)
    for (const { type, hash, value } of calculated.report.records) {
      if (ofOtherTokens.some((microblock) => microblock.hash === hash)) continue
      if (type === 'im' || type === 'iref') paid.miners += value
      if (type === 'ik') paid.keyBlocks += value
      if (type === 'istat') paid.stakePools += value
    }
  }
  return paid
}

const totals = (store: ChainStore, heights: number) =>
  Promise.all(Array.from({ length: heights }, async (_, height) => (await store.chainFigures(height)).paid))

/** Macroblocks of which each holds a microblock in a token of its own besides the native one. */
async function mineBoth(network: QuickNetwork): Promise<readonly CalculatedMacroblock[]> {
  const [from, to] = network.genesis.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const token = network.genesis.tokens.mineable.id
  const miner = await rawMiner(network.url, { privateKey: from.privateKey, token })
  miner.mine()
  miner.hail()
  const closed: CalculatedMacroblock[] = []
  while (closed.length < BLOCKS) {
    const { transaction, hash } = payment(network.genesis, { from, to: to.address, amount: COIN })
    network.mempool.add(transaction, hash)
    await until(() => network.producer.openMacroblock()?.isMinedIn(token) === true)
    const macroblock = await network.producer.closeNow()
    if (macroblock !== null) closed.push(macroblock)
  }
  miner.close()
  return closed
}

describeBothEngines('rewards that were paid', (engine) => {
  test('of any stretch are what its records say, also after the chain went back and in an older database', async () => {
    const { folder, database } = await engine.newPlace()
    let expected: unknown[] = []
    {
      await using network = await quickNetwork({ dataDirectory: folder, database })
      const closed = await mineBoth(network)
      const native = network.genesis.tokens.native.id
      const from = Array.from({ length: BLOCKS + 1 }, (_, height) => height)
      expected = from.map((height) => expectedSince(closed, native, height))
      expect(expected[0]).not.toEqual(expected[1])
      expect(await totals(network.store, BLOCKS + 1)).toEqual(expected)
      expect((await network.store.chainFigures(-100)).paid).toEqual(expected[0])
      await network.store.truncateTo(BLOCKS - 1)
      expected = from.map((height) => expectedSince(closed.slice(0, BLOCKS - 1), native, height))
      expect(await totals(network.store, BLOCKS + 1)).toEqual(expected)
    }
    const { queries, close } =
      database === undefined ? await openChainFolder({ folder }) : await openChainServer(database)
    await sql`drop table reward_total`.execute(queries)
    await sql`delete from migration where version >= 5`.execute(queries)
    await close()
    await using store = await openChainStore({ folder, database })
    expect(await totals(store, BLOCKS + 1)).toEqual(expected)
  })
})
