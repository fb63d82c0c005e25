import { createGenesis, createLedgerState } from '@hailstone/ledger'
import {
  type Amount,
  ascending,
  type Hash,
  localKeyBlockHash,
  merkleRoot,
  signingHashOfTexts,
  signText,
  type Transaction,
  transactionHash,
} from '@hailstone/protocol'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { payment } from '../../test/payments.ts'
import { validatePostedTransaction } from '../http/validate-posted-transaction.ts'
import { silentLogger } from '../logger.ts'
import { createTextVerifier } from '../verify-text.ts'
import { createBlockProducer } from './block-producer.ts'
import type { BlockProducerParameters } from './block-producer-parameters.ts'
import type { CalculatedMacroblock } from './calculated-macroblock.ts'
import { createFallbackMiner } from './fallback-miner.ts'
import { createKeepAlive } from './keep-alive.ts'
import { transactionHashesOf } from './learn-calculated.ts'
import { createMempool } from './mempool.ts'

const genesis = createGenesis({ seed: 'producer', time: 1_700_000_000 })
const [alice, bob] = genesis.accounts.developers as never as [
  (typeof genesis.accounts.developers)[0],
  (typeof genesis.accounts.developers)[0],
]

/** A store in memory that can be told to fail, before or after it has stored. */
function memoryStore() {
  const stored: CalculatedMacroblock[] = []
  const trouble: ('before' | 'after')[] = []
  return {
    stored,
    trouble,
    tail: async () => stored.at(-1)?.nextKeyBlock ?? genesis.origin,
    async calculatedBelow(height: number, hashes: readonly Hash[]) {
      const below = stored.filter(({ macroblock }) => macroblock.keyBlock.height < height)
      const known = new Set(below.flatMap(({ macroblock }) => transactionHashesOf(macroblock)))
      return hashes.filter((hash) => known.has(hash))
    },
    balancesAt: () => Promise.reject(new Error('all balances are in memory')),
    async appendMacroblock(calculated: CalculatedMacroblock) {
      const now = trouble.shift()
      if (now === 'before') throw new Error('the disk is full')
      stored.push(calculated)
      if (now === 'after') throw new Error('the answer was lost')
    },
  }
}

function setUp(changes: Partial<BlockProducerParameters> = {}) {
  const clock = manualClock()
  const store = memoryStore()
  const mempool = createMempool(clock)
  const ledger = createLedgerState(genesis.content)
  const { fallbackMiner, keepAlive } = genesis.accounts
  const native = genesis.tokens.native
  const producer = createBlockProducer({
    store,
    ledger,
    tail: genesis.origin,
    mempool,
    network: genesis.parameters,
    keyBlockPublisher: genesis.accounts.keyBlockPublisher.address,
    clock,
    logger: silentLogger,
    blockTimeMs: 15_000,
    maxMicroblocks: 8,
    maxTransactionsPerMicroblock: 3,
    emptyMacroblocks: false,
    fallbackMiner: createFallbackMiner({ account: fallbackMiner, nativeTokenId: native.id }),
    keepAlive: createKeepAlive({
      accounts: keepAlive,
      nativeToken: native,
      mempool,
      signed: { note: () => {} },
      random: Math.random,
    }),
    ...changes,
  })
  const pay = (amount = 10n ** 10n) => {
    const { transaction, hash } = payment(genesis, { from: alice, to: bob.address, amount })
    mempool.add(transaction, hash)
    return hash
  }
  return { clock, store, mempool, ledger, producer, pay }
}

test('advances an idle chain once every block time', async () => {
  const { clock, store, producer } = setUp()
  producer.start()
  await clock.advance(45_000)
  expect(store.stored).toHaveLength(3)
  expect(producer.openKeyBlock().height).toBe(3)
  await producer.stop()
  expect(clock.timers()).toBe(0)
})

test('leaves the macroblock open when there is nothing to mine, and closes it soon after there is', async () => {
  const { clock, store, producer, pay } = setUp({ keepAlive: null })
  producer.start()
  await clock.advance(60_000)
  expect(store.stored).toHaveLength(0)
  pay()
  await clock.advance(2000)
  expect(store.stored).toHaveLength(1)
})

test('closes empty macroblocks when asked to', async () => {
  const { clock, store, producer } = setUp({ keepAlive: null, fallbackMiner: null, emptyMacroblocks: true })
  producer.start()
  await clock.advance(30_000)
  expect(store.stored.map(({ macroblock }) => macroblock.microblocks.length)).toEqual([0, 0])
})

test('orders microblocks and transactions by hash and commits to them', async () => {
  const { store, producer, pay } = setUp({ keepAlive: null })
  for (let count = 0; count < 20; count++) pay()
  await producer.closeNow()
  const [calculated] = store.stored
  if (calculated === undefined) throw new Error('should be stored')
  const { macroblock, nextKeyBlock } = calculated
  const hashes = macroblock.microblocks.map(({ hash }) => hash)
  expect(hashes).toEqual([...hashes].sort(ascending))
  expect(hashes).toHaveLength(7)
  for (const { transactions } of macroblock.microblocks) {
    const inside = transactions.map((transaction) => transactionHash(transaction))
    expect(inside).toEqual([...inside].sort(ascending))
  }
  const statBlockHashes = macroblock.statBlocks.map(({ hash }) => hash)
  expect(nextKeyBlock.merkleRoot).toBe(merkleRoot({ microblockHashes: hashes, statBlockHashes }))
  expect(nextKeyBlock.hash).toBe(localKeyBlockHash(nextKeyBlock))
  expect(nextKeyBlock).toMatchObject({ height: 1, link: genesis.origin.hash, sprout: genesis.origin.hash })
})

test('executes payments and takes them out of the pool', async () => {
  const { mempool, ledger, producer, pay } = setUp({ keepAlive: null })
  const before = ledger.balance(bob.address, genesis.tokens.native.id) ?? 0n
  const hash = pay(10n ** 10n)
  const calculated = await producer.closeNow()
  expect(calculated?.closed.report.transactions).toMatchObject([{ hash, status: 'confirmed' }])
  expect(ledger.balance(bob.address, genesis.tokens.native.id)).toBe(before + 10n ** 10n - 10n ** 9n)
  expect(mempool.size).toBe(0)
})

test('pays out exactly one block reward per macroblock', async () => {
  const { ledger, producer, pay } = setUp()
  const native = genesis.tokens.native
  const total = () => {
    const held = [...ledger.balances()].filter(({ tokenId }) => tokenId === native.id)
    const waiting = [...ledger.delegations(genesis.parameters.votingPoolId)]
    return (
      held.reduce((sum, { amount }) => sum + amount, 0n) +
      waiting.reduce((sum, { reward }) => sum + reward, 0n)
    )
  }
  for (let block = 0; block < 3; block++) {
    const before = total()
    pay()
    await producer.closeNow()
    expect(total() - before).toBe(native.mining?.blockReward)
  }
})

test('tries a failed append again with the same key block, and takes no microblock meanwhile', async () => {
  const { clock, store, producer, pay } = setUp()
  store.trouble.push('before', 'before')
  producer.start()
  pay()
  await clock.advance(15_000)
  expect(store.stored).toHaveLength(0)
  expect(producer.openMacroblock()).toBeNull()
  await clock.advance(2000)
  expect(store.stored).toHaveLength(1)
  expect(producer.openKeyBlock()).toEqual(store.stored[0]?.nextKeyBlock)
})

test('does not store a macroblock twice when only the answer was lost', async () => {
  const { store, producer } = setUp()
  store.trouble.push('after')
  await producer.closeNow()
  await producer.closeNow()
  expect(store.stored.map(({ nextKeyBlock }) => nextKeyBlock.height)).toEqual([1, 2])
})

test('calls a microblock of a closed macroblock late and leaves its transactions in the pool', async () => {
  const { mempool, producer, pay } = setUp({ keepAlive: null })
  const miner = createFallbackMiner({ account: alice, nativeTokenId: genesis.tokens.native.id })
  pay()
  const entries = mempool.entries()
  const early = miner.publish(producer.openKeyBlock(), entries)
  expect(producer.addMicroblock(early)).toBe('added')
  expect(producer.addMicroblock(early)).toBe('alreadyStored')
  await producer.closeNow()
  pay()
  const late = miner.publish(genesis.origin, mempool.entries())
  expect(producer.addMicroblock(late)).toBe('late')
  expect(mempool.size).toBe(1)
})

test('knows the transactions of a microblock by the hashes that come with it', () => {
  const { mempool, producer, pay } = setUp({ keepAlive: null })
  const miner = createFallbackMiner({ account: alice, nativeTokenId: genesis.tokens.native.id })
  pay()
  const [entry] = mempool.entries()
  if (entry === undefined) throw new Error('one waits')
  const microblock = miner.publish(producer.openKeyBlock(), [entry])
  expect(producer.addMicroblock(microblock, [entry.hash])).toBe('added')
  const open = producer.openMacroblock()
  expect([open?.microblockCount, open?.transactionHashes]).toEqual([1, [entry.hash]])
  expect(open?.holds(entry.hash)).toBe(true)
})

test('leaves a fresh transaction to other miners, but only for a moment', async () => {
  const { clock, store, producer, pay } = setUp({ keepAlive: null })
  producer.start()
  await clock.advance(14_900)
  pay()
  await clock.advance(100)
  expect(store.stored).toHaveLength(0)
  await clock.advance(1000)
  expect(store.stored).toHaveLength(1)
})

test('tells listeners what happened, and survives one that throws', async () => {
  const { producer, pay } = setUp()
  const heard: string[] = []
  producer.on('macroblockClosed', () => {
    throw new Error('a bad listener')
  })
  producer.on('microblockAccepted', ({ hash }) => heard.push(hash))
  const off = producer.on('macroblockClosed', ({ nextKeyBlock }) => heard.push(nextKeyBlock.hash))
  pay()
  const calculated = await producer.closeNow()
  expect(heard).toEqual([calculated?.macroblock.microblocks[0]?.hash, calculated?.nextKeyBlock.hash])
  off()
  await producer.closeNow()
  expect(heard).toHaveLength(3)
})

test('tells why a macroblock cannot be closed, until it can', async () => {
  const { clock, store, producer } = setUp()
  store.trouble.push('before')
  producer.start()
  await clock.advance(15_000)
  expect(producer.condition()).toMatchObject({ failure: 'the disk is full', closingForMs: null })
  await clock.advance(15_000)
  expect(producer.condition()).toMatchObject({ failure: null, closingForMs: null })
  expect(store.stored.length).toBeGreaterThan(0)
})

test('tells for how long a macroblock is being stored', async () => {
  let done = (): void => {}
  const stuck = new Promise<void>((resolve) => {
    done = resolve
  })
  const { clock, producer } = setUp({
    store: { ...memoryStore(), appendMacroblock: () => stuck },
  })
  producer.start()
  await clock.advance(15_000)
  await clock.advance(3_000)
  expect(producer.condition().closingForMs).toBe(3_000)
  done()
  await expect.poll(() => producer.condition().closingForMs).toBeNull()
  await producer.stop()
})

describe('over a chain of which the ledger does not hold what was calculated', () => {
  const longChain = () => createLedgerState({ ...genesis.content, calculated: 'unknown' })
  const statusesOf = (calculated: CalculatedMacroblock | null) =>
    calculated?.closed.report.transactions.map(({ status }) => status)

  test('a transaction is a duplicate for ever', async () => {
    const { producer, mempool, pay } = setUp({ keepAlive: null, ledger: longChain() })
    const hash = pay()
    const entry = mempool.get(hash)
    expect(statusesOf(await producer.closeNow())).toEqual(['confirmed'])
    pay()
    await producer.closeNow()
    mempool.add(entry?.transaction as Transaction, hash)
    expect(statusesOf(await producer.closeNow())).toEqual(['duplicate'])
  })

  test('what is mined while the store is asked is asked about, too', async () => {
    const ledger = longChain()
    const store = memoryStore()
    const { producer, mempool, pay } = setUp({ keepAlive: null, ledger, store })
    const hash = pay()
    const entry = mempool.get(hash)
    if (entry === undefined) throw new Error('should wait')
    await producer.closeNow()
    pay()
    const miner = createFallbackMiner({
      account: genesis.accounts.developers[2] as never,
      nativeTokenId: genesis.tokens.native.id,
    })
    const ask = store.calculatedBelow
    let asked = 0
    store.calculatedBelow = async (height, hashes) => {
      const late = miner.publish(producer.openKeyBlock(), [entry])
      if (asked++ === 0) expect(late !== null && producer.addMicroblock(late)).toBe('added')
      return ask(height, hashes)
    }
    expect(statusesOf(await producer.closeNow())?.sort()).toEqual(['confirmed', 'duplicate'])
    expect(asked).toBe(2)
  })

  test('nothing is calculated while the store does not answer', async () => {
    const store = memoryStore()
    const ask = store.calculatedBelow
    store.calculatedBelow = async () => {
      throw new Error('the line is cut')
    }
    const { producer, pay } = setUp({ keepAlive: null, ledger: longChain(), store })
    pay()
    await expect(producer.closeNow()).rejects.toThrow('the line is cut')
    expect(producer.condition().failure).toBe('the line is cut')
    expect(store.stored).toEqual([])
    store.calculatedBelow = ask
    expect(statusesOf(await producer.closeNow())).toEqual(['confirmed'])
    expect(producer.condition().failure).toBeNull()
  })
})

/** Returns a pool entry as posted with this nonce, correctly signed over the text it has. */
function posted(nonce: number) {
  const texts = {
    amount: '20000000000',
    data: '',
    from: alice.address,
    nonce: String(nonce),
    tokenId: genesis.tokens.native.id,
    to: bob.address,
  }
  const sign = signText(signingHashOfTexts(texts), alice.privateKey)
  const { tokenId: ticker, ...wire } = texts
  const verdict = validatePostedTransaction([{ ...wire, nonce, ticker, sign }], createTextVerifier())
  if (verdict.kind !== 'accepted') throw new Error('should be accepted')
  return verdict
}

test.each([1.5, 0.5, 1e-7, 4503599627370495.5])(
  'a posted nonce of %d waits for ever and stops nobody: the fallback miner mines everything else',
  async (nonce) => {
    const { mempool, producer, store, pay } = setUp({ keepAlive: null })
    const { transaction, hash } = posted(nonce)
    mempool.add(transaction, hash)
    expect(await producer.closeNow()).toBeNull()
    const good = pay()
    await producer.closeNow()
    const [microblock, ...others] = store.stored[0]?.macroblock.microblocks ?? []
    expect(microblock?.transactions.map((one) => transactionHash(one))).toEqual([good])
    expect(others).toEqual([])
    expect(mempool.entries().map((entry) => entry.hash)).toEqual([hash])
  },
)

test('the fallback miner mines nothing that its sender did not sign', async () => {
  const { mempool, ledger, producer, store, pay } = setUp({ keepAlive: null })
  const { transaction } = payment(genesis, { from: alice, to: bob.address, amount: 10n ** 10n })
  const forged = { ...transaction, amount: (2n * 10n ** 10n) as Amount }
  mempool.add(forged, transactionHash(forged))
  const before = ledger.balance(bob.address, genesis.tokens.native.id)
  expect(await producer.closeNow()).toBeNull()
  const good = pay()
  await producer.closeNow()
  expect(store.stored[0]?.closed.report.transactions.map(({ hash }) => hash)).toEqual([good])
  expect(ledger.balance(bob.address, genesis.tokens.native.id)).toBe((before ?? 0n) + 9n * 10n ** 9n)
})

test('the fallback miner gives up on a microblock that nobody takes', async () => {
  const { mempool, producer, pay } = setUp({
    keepAlive: null,
    fallbackMiner: {
      publish: () => {
        throw new Error('should not be asked')
      },
      // As of a macroblock that is closed: never added, however often it is made.
      mine: ({ open }) => ({ ...microblockOf(open.keyBlock), keyBlockHash: genesis.parameters.votingPoolId }),
    },
  })
  const microblockOf = (keyBlock: typeof genesis.origin) =>
    createFallbackMiner({ account: alice, nativeTokenId: genesis.tokens.native.id }).publish(
      keyBlock,
      mempool.entries(),
    )
  pay()
  expect(await producer.closeNow()).toBeNull()
})

test('a clock that goes back puts no key block before the one it follows', async () => {
  let timeMs = 1_700_000_000_000
  const { producer } = setUp({ emptyMacroblocks: true, blockTime: () => timeMs })
  await producer.closeNow()
  const { time } = producer.openKeyBlock()
  timeMs -= 3_600_000
  await producer.closeNow()
  expect(producer.openKeyBlock().time).toBe(time)
  timeMs += 7_200_000
  await producer.closeNow()
  expect(producer.openKeyBlock().time).toBe(time + 3600)
})
