import { closeMacroblock, createGenesis, type DevelopmentAccount } from '@hailstone/ledger'
import {
  type Address,
  type Amount,
  encodeContractOrder,
  isNodeError,
  signingHash,
  signText,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { describeBothEngines } from './engines.ts'
import { payment } from './payments.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'

const COIN = 10n ** 10n

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isNodeError(error) ? error.code : String(error)),
  )

const developer = (network: QuickNetwork, number: number): DevelopmentAccount => {
  const account = network.genesis.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

function pay(network: QuickNetwork): Transaction {
  const { transaction, hash } = payment(network.genesis, {
    from: developer(network, 0),
    to: developer(network, 1).address,
    amount: COIN,
  })
  network.mempool.add(transaction, hash)
  return transaction
}

/** A contract is a native payment to the genesis account. */
function order(network: QuickNetwork, data: string, amount = COIN): string {
  const from = developer(network, 0)
  const fields = {
    amount: amount as Amount,
    data,
    from: from.address,
    nonce: Math.floor(Math.random() * 2 ** 40),
    tokenId: network.genesis.tokens.native.id,
    to: network.genesis.accounts.genesis.address,
  }
  const transaction = { ...fields, signature: signText(signingHash(fields), from.privateKey) }
  network.mempool.add(transaction, transactionHash(transaction))
  return transactionHash(transaction)
}

/** Until nothing waits any more. */
async function closeAll({ producer, mempool }: QuickNetwork): Promise<void> {
  do await producer.closeNow()
  while (mempool.entries().some(({ transaction }) => transaction.data !== '' || transaction.amount === COIN))
}

const networkAt = ({ folder, database }: ChainPlace) => ({ dataDirectory: folder, database })

describeBothEngines('the chain in a database', (engine) => {
  const newOptions = async () => networkAt(await engine.newPlace())

  test('a chain is begun once, and only where there is none', async () => {
    await using network = await quickNetwork(await newOptions())
    expect(await codeOf(network.store.initialise(network.genesis))).toBe('STORE_INVALID')
    await using empty = await openChainStore(await engine.newPlace())
    expect(await empty.parameters()).toBeUndefined()
    expect(await codeOf(empty.tail())).toBe('STORE_INVALID')
  })

  test('a reopened folder has the same ledger, parameters and open block', async () => {
    let before: readonly unknown[] = []
    const place = await engine.newPlace()
    const options = networkAt(place)
    {
      await using network = await quickNetwork(options)
      pay(network)
      await closeAll(network)
      before = [
        await network.store.parameters(),
        await network.store.tail(),
        [...network.ledger.balances()].length,
      ]
    }
    await using store = await openChainStore(place)
    const ledger = await store.loadLedger()
    expect([await store.parameters(), await store.tail(), [...ledger.balances()].length]).toEqual(before)
  })

  test('a payment is a duplicate also after the chain was opened again', async () => {
    const options = { ...networkAt(await engine.newPlace()), keepAlive: false }
    let transaction: Transaction
    {
      await using network = await quickNetwork(options)
      transaction = pay(network)
      await closeAll(network)
    }
    await using network = await quickNetwork(options)
    network.mempool.add(transaction, transactionHash(transaction))
    const fresh = transactionHash(pay(network))
    const closed = await network.producer.closeNow()
    const statuses = closed?.closed.report.transactions.map(({ hash, status }) => [hash, status])
    expect(Object.fromEntries(statuses ?? [])).toEqual({
      [transactionHash(transaction)]: 'duplicate',
      [fresh]: 'confirmed',
    })
  })

  test('a macroblock that does not extend the open key block leaves no trace', async () => {
    await using network = await quickNetwork(await newOptions())
    pay(network)
    const closed = await network.producer.closeNow()
    if (closed === null) throw new Error('there was a payment')
    const { store } = network
    const tail = await store.tail()
    expect(await codeOf(store.appendMacroblock(closed))).toBe('CHAIN_INCONSISTENT')
    const forged = { ...closed, macroblock: { ...closed.macroblock, keyBlock: tail } }
    // Its microblocks are stored already, which the database notices after the key block was closed.
    await expect(store.appendMacroblock(forged)).rejects.toThrow()
    expect(await store.tail()).toEqual(tail)
    expect((await store.keyBlockAt(tail.height))?.reward).toBeNull()
  })

  test('a report about other transactions is refused', async () => {
    await using network = await quickNetwork(await newOptions())
    const { store, ledger, parameters } = network
    const keyBlock = await store.tail()
    const empty = { keyBlock, microblocks: [], statBlocks: [] }
    const closed = closeMacroblock(ledger, empty, parameters.ledger)
    const microblock = {
      hash: 'ab'.repeat(32) as never,
      keyBlockHash: keyBlock.hash,
      publisher: developer(network, 0).address,
      nonce: 1,
      transactions: [pay(network)],
      signature: '00' as never,
      tokenId: network.genesis.tokens.native.id,
      referralAgent: null,
    }
    const closing = { macroblock: { ...empty, microblocks: [microblock] }, closed, nextKeyBlock: keyBlock }
    expect(await codeOf(store.appendMacroblock(closing))).toBe('CHAIN_INCONSISTENT')
    expect(await store.tail()).toEqual(keyBlock)
  })

  test('of several copies of a transaction the best status is shown, and it is counted once', async () => {
    await using network = await quickNetwork({ ...(await newOptions()), keepAlive: false })
    const { store, mempool } = network
    const transaction = pay(network)
    const hash = transactionHash(transaction)
    await closeAll(network)
    const counted = (await store.token(network.genesis.tokens.native.id))?.transferCount
    mempool.add(transaction, hash)
    await closeAll(network)
    expect(await store.transaction(hash)).toMatchObject({ status: 'confirmed' })
    expect((await store.token(network.genesis.tokens.native.id))?.transferCount).toBe(counted)
    expect((await store.recordsOfHash(hash)).map(({ type }) => type).sort()).toEqual(['iin', 'iout'])
  })

  test('the first round of transfers counts as one, later ones in full', async () => {
    await using network = await quickNetwork({ ...(await newOptions()), keepAlive: false })
    const count = async () => (await network.store.token(network.genesis.tokens.native.id))?.transferCount
    for (let payments = 0; payments < 3; payments++) pay(network)
    await closeAll(network)
    expect(await count()).toBe(1)
    for (let payments = 0; payments < 2; payments++) pay(network)
    await closeAll(network)
    expect(await count()).toBe(3)
  })

  test('coins at a stake pool are shown where they are: delegated, in transit, free', async () => {
    await using network = await quickNetwork({ ...(await newOptions()), keepAlive: false })
    const { store, parameters } = network
    const account = developer(network, 0).address as Address
    const poolId = parameters.votingPoolId
    const stake = () => store.accountStake(account.toUpperCase())
    order(network, encodeContractOrder({ type: 'delegate', poolId, amount: (7n * COIN) as Amount }))
    await closeAll(network)
    expect(await stake()).toMatchObject({ delegated: 7n * COIN, inTransit: 0n, undelegated: 0n })
    const id = order(
      network,
      encodeContractOrder({ type: 'undelegate', poolId, amount: (3n * COIN) as Amount }),
    )
    await closeAll(network)
    expect(await stake()).toMatchObject({ delegated: 4n * COIN, inTransit: 3n * COIN, undelegated: 0n })
    for (let block = 0; block < parameters.transferLockBlocks; block++) {
      pay(network)
      await closeAll(network)
    }
    expect(await stake()).toMatchObject({ inTransit: 0n, undelegated: 3n * COIN })
    order(network, encodeContractOrder({ type: 'transfer', undelegationId: id }))
    await closeAll(network)
    expect(await stake()).toMatchObject({ delegated: 4n * COIN, inTransit: 0n, undelegated: 0n })
  })
})

describeBothEngines('lists beyond what a statement takes as parameters', (engine) => {
  test('are read and removed as one', async () => {
    await using store = await openChainStore(await engine.newPlace())
    const genesis = createGenesis({ seed: 'many', time: 1_700_000_000 })
    await store.initialise(genesis)
    const [holder] = genesis.content.balances
    if (holder === undefined) throw new Error('somebody holds something')
    const many = Array.from({ length: 70_000 }, (_, at) => `nobody ${at}`)
    const found = await store.balancesIn(holder.tokenId, [...many, holder.account])
    expect([...found]).toEqual([[holder.account, holder.amount]])
  })
})
