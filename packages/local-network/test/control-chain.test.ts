import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Amount,
  type ContractOrder,
  encodeContractOrder,
  isNodeError,
  signingHash,
  signText,
  transactionHash,
} from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { createControl, type NetworkControl } from '../src/control/create-control.ts'
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

const newToken = {
  symbol: 'ICE',
  caption: 'Ice',
  decimals: 2,
  totalSupply: 1000n as Amount,
  isReissuable: false,
  feeType: 0,
  feeValue: 1n as Amount,
  feeMinimum: 0n as Amount,
  mining: null,
} as const

/** A contract is a native payment to the genesis account. */
function order(network: QuickNetwork, contract: ContractOrder): void {
  const from = developer(network, 0)
  const { type } = contract
  const fields = {
    amount: ((type === 'create_token' ? 1001n : 1n) * COIN) as Amount,
    data: encodeContractOrder(contract),
    from: from.address,
    nonce: Math.floor(Math.random() * 2 ** 40),
    tokenId: network.genesis.tokens.native.id,
    to: network.genesis.accounts.genesis.address,
  }
  const transaction = { ...fields, signature: signText(signingHash(fields), from.privateKey) }
  network.mempool.add(transaction, transactionHash(transaction))
}

const controlOf = (network: QuickNetwork): NetworkControl =>
  createControl(network, { clock: systemClock, apiListener: () => undefined })

/** Reads everything that readers see of a chain: every table that answers come from. */
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
      stake: await store.accountStake(address),
    })),
  )
  const balances = [...ledger.balances()].map((row) => Object.values(row).join(' ')).sort()
  return {
    histories,
    balances,
    tokens: await store.tokens(),
    tail: await store.tail(),
    blocks: await store.macroblocks({ from: 0, to: 1000 }),
  }
}

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isNodeError(error) ? error.code : String(error)),
  )

describe('one chain', () => {
  let network: QuickNetwork
  let control: NetworkControl
  beforeAll(async () => {
    network = await quickNetwork({ seed: 'back' })
    control = controlOf(network)
  })
  afterAll(() => network[Symbol.asyncDispose]())
  const height = (): number => network.producer.openKeyBlock().height

  test('goes back to its first block and no further', async () => {
    const before = await stateOf(network)
    await control.mine(2)
    expect(await reasonOf(control.reorganise(3))).toBe('CONTROL_REFUSED')
    expect(await reasonOf(control.reorganise(0))).toBe('CONTROL_REFUSED')
    expect(await control.reorganise(2)).toBe(0)
    expect(await stateOf(network)).toEqual(before)
    expect(await control.mine(2)).toBe(2)
  })

  test('is what it was when it goes back, and goes on with other blocks', async () => {
    pay(network)
    order(network, { type: 'create_token', token: newToken })
    await control.mine(2)
    const before = await stateOf(network)
    const reached = height()
    const hash = pay(network)
    order(network, { type: 'create_token', token: newToken })
    order(network, { type: 'delegate', poolId: network.parameters.votingPoolId, amount: COIN as Amount })
    await control.mine(2)
    const orphan = await network.store.keyBlockAt(reached + 1)
    expect(await network.store.tokens()).toHaveLength(before.tokens.length + 1)
    const seen: unknown[] = []
    const off = network.producer.on('reorganised', (event) => seen.push(event))

    expect(await control.reorganise(2)).toBe(reached)
    off()
    expect(seen).toEqual([{ fromHeight: reached + 2, toHeight: reached }])
    expect(await stateOf(network)).toEqual(before)
    expect(await network.store.transaction(hash)).toBeUndefined()
    expect(network.mempool.get(hash)).toBeDefined()

    await control.mine(2)
    expect((await network.store.keyBlockAt(reached + 1))?.hash).not.toBe(orphan?.hash)
    expect(await network.store.transaction(hash)).toMatchObject({ status: 'confirmed' })
    expect(await network.store.tokens()).toHaveLength(before.tokens.length + 1)
  })

  test('can forget the transactions of the blocks that are gone', async () => {
    const hash = pay(network)
    await control.mine()
    await control.reorganise(1, { keepTransactions: false })
    expect(network.mempool.get(hash)).toBeUndefined()
    await control.mine()
    expect(await network.store.transaction(hash)).toBeUndefined()
  })

  test('returns to a snapshot from another branch, block for block and as often as wanted', async () => {
    pay(network)
    await control.mine(3)
    const waiting = pay(network)
    const id = control.snapshot()
    const before = await stateOf(network)
    const reached = height()
    for (const [blocks, mined] of [
      [3, 5],
      [1, 1],
      [2, 1],
    ] as const) {
      await control.reorganise(blocks, { keepTransactions: false })
      await control.mine(mined)
      expect(network.mempool.get(waiting)).toBeUndefined()
      expect(await control.revert(id)).toBe(reached)
      expect(await stateOf(network)).toEqual(before)
      expect(network.mempool.entries().map(({ hash }) => hash)).toContain(waiting)
    }
    expect(await reasonOf(control.revert('snapshot-9'))).toBe('CONTROL_REFUSED')
    expect(await expectReplay(network.store, 'back')).toBe(reached)
  })
})

test('a snapshot brings back under its own hash what no block can hold', async () => {
  await using network = await quickNetwork()
  const control = controlOf(network)
  const [from, to] = [developer(network, 0), developer(network, 1)]
  const { transaction } = payment(network.genesis, { from, to: to.address, amount: COIN })
  // As POST keeps a nonce with a fraction: rounded, under the hash of what was sent.
  const hash = transactionHash({ ...transaction, nonce: transaction.nonce + 0.5 })
  network.mempool.add(transaction, hash)
  const id = control.snapshot()
  control.forgetPool()
  await control.revert(id)
  expect(network.mempool.entries().map((entry) => entry.hash)).toContain(hash)
  expect(await control.mine(2)).toBe(2)
  expect(network.mempool.get(hash)).toBeDefined()
  expect(await network.store.transaction(transactionHash(transaction))).toBeUndefined()
})

test('what was taken away stays away after a restart, and the next blocks are still others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-control-'))
  const options = { seed: 'restart', dataDirectory: folder }
  const hashes: (string | undefined)[] = []
  {
    await using network = await quickNetwork(options)
    const control = controlOf(network)
    await control.mine(3)
    hashes.push((await network.store.keyBlockAt(2))?.hash)
    await control.reorganise(2)
  }
  {
    await using network = await quickNetwork(options)
    const control = controlOf(network)
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
