import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { createControl } from '../src/control/create-control.ts'
import { openChainStore } from '../src/store/index.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { expectReplay } from './replay.ts'

const COIN = 10n ** 10n

const developer = (network: QuickNetwork, number: number) => {
  const account = network.genesis.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

function pay(network: QuickNetwork): string {
  const [from, to] = [developer(network, 0), developer(network, 1)]
  const { transaction, hash } = payment(network.genesis, { from, to: to.address, amount: COIN })
  network.mempool.add(transaction, hash)
  return hash
}

/** What a chain is to those who read it: every table that an answer comes from. */
async function stateOf({ store, genesis, ledger }: QuickNetwork) {
  const accounts = Object.values(genesis.accounts).flat()
  const histories = await Promise.all(
    accounts.map(async ({ address }) => ({
      counts: await Promise.all(
        (['all', 'rewards', 'transactions', 'iin', 'im'] as const).map((of) =>
          store.recordCount(address, { of }),
        ),
      ),
      records: await store.records({ account: address, selection: { of: 'all' }, from: 0, to: 1000 }),
      holdings: await store.holdings(address),
      stake: await store.stakeStanding(address),
    })),
  )
  const balances = [...ledger.balances()].map((row) => Object.values(row).join(' ')).sort()
  return {
    histories,
    balances,
    tokens: await store.tokens(),
    tail: await store.tail(),
    blocks: await store.macroblocks({ from: 0, to: 1000 }),
    calculated: [...ledger.calculated()].sort(),
  }
}

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isNodeError(error) ? error.code : String(error)),
  )

test('a chain that goes back is what it was, and goes on with other blocks', async () => {
  await using network = await quickNetwork({ seed: 'back' })
  const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
  pay(network)
  await control.mine(3)
  const before = await stateOf(network)
  const hash = pay(network)
  await control.mine(2)
  const orphan = await network.store.keyBlockAt(4)
  const seen: unknown[] = []
  network.producer.on('reorganised', (event) => seen.push(event))

  expect(await control.reorganise(2)).toBe(3)
  expect(seen).toEqual([{ fromHeight: 5, toHeight: 3 }])
  expect(await stateOf(network)).toEqual(before)
  expect(await network.store.transaction(hash)).toBeUndefined()
  expect(network.mempool.get(hash)).toBeDefined()

  await control.mine(2)
  expect(await network.store.keyBlockAt(4)).toMatchObject({ height: 4 })
  expect((await network.store.keyBlockAt(4))?.hash).not.toBe(orphan?.hash)
  expect(await network.store.transaction(hash)).toMatchObject({ status: 'confirmed' })
  expect(await expectReplay(network.store, 'back')).toBe(5)
})

test('transactions of the blocks that are gone can be forgotten', async () => {
  await using network = await quickNetwork()
  const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
  await control.mine()
  const hash = pay(network)
  await control.mine()
  await control.reorganise(1, { keepTransactions: false })
  expect(network.mempool.get(hash)).toBeUndefined()
  await control.mine()
  expect(await network.store.transaction(hash)).toBeUndefined()
})

test('a chain goes back to its first block and no further', async () => {
  await using network = await quickNetwork()
  const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
  const before = await stateOf(network)
  await control.mine(2)
  expect(await reasonOf(control.reorganise(3))).toBe('CONTROL_REFUSED')
  expect(await reasonOf(control.reorganise(0))).toBe('CONTROL_REFUSED')
  expect(await control.reorganise(2)).toBe(0)
  expect(await stateOf(network)).toEqual(before)
  expect(await control.mine(2)).toBe(2)
})

test('a snapshot is returned to from another branch, block for block and as often as wanted', async () => {
  await using network = await quickNetwork({ seed: 'snapshot' })
  const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
  pay(network)
  await control.mine(4)
  const waiting = pay(network)
  const id = control.snapshot()
  const before = await stateOf(network)
  for (const [blocks, mined] of [
    [3, 5],
    [1, 1],
    [2, 1],
  ] as const) {
    await control.reorganise(blocks, { keepTransactions: false })
    await control.mine(mined)
    expect(network.mempool.get(waiting)).toBeUndefined()
    expect(await control.revert(id)).toBe(4)
    expect(await stateOf(network)).toEqual(before)
    expect(network.mempool.entries().map(({ hash }) => hash)).toContain(waiting)
  }
  expect(await reasonOf(control.revert('snapshot-9'))).toBe('CONTROL_REFUSED')
  expect(await expectReplay(network.store, 'snapshot')).toBe(4)
})

test('what was taken away stays away after a restart, and the next blocks are still others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-control-'))
  const options = { seed: 'restart', dataDirectory: folder }
  const hashes: (string | undefined)[] = []
  {
    await using network = await quickNetwork(options)
    const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
    await control.mine(3)
    hashes.push((await network.store.keyBlockAt(2))?.hash)
    await control.reorganise(2)
  }
  {
    await using network = await quickNetwork(options)
    const control = createControl(network, { clock: systemClock, apiDoor: () => undefined })
    expect(await control.state()).toMatchObject({ height: 1, branch: 1 })
    await control.mine(2)
    hashes.push((await network.store.keyBlockAt(2))?.hash)
  }
  await using store = await openChainStore({ folder })
  expect(await expectReplay(store, 'restart')).toBe(3)
  expect(new Set(hashes).size).toBe(2)
  await store.close()
  await rm(folder, { recursive: true })
})
