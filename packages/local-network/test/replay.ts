import {
  closeMacroblock,
  createGenesis,
  createLedgerState,
  type LedgerMacroblock,
  type LedgerState,
} from '@hailstone/ledger'
import {
  type BlockTransaction,
  merkleRoot,
  microblockHash,
  statBlockHash,
  transactionHash,
} from '@hailstone/protocol'
import { expect } from 'vitest'
import type { ChainStore } from '../src/store/index.ts'
import { nativeToken } from './native-token.ts'

/** Everything the rules know of a ledger, in an order of its own. */
const contentOf = (ledger: LedgerState) => ({
  balances: [...ledger.balances()].map((row) => Object.values(row).join(' ')).sort(),
  tokens: [...ledger.tokens()].sort((a, b) => a.id.localeCompare(b.id)),
  delegations: [...ledger.stakePools()].map(({ id }) => [...ledger.delegations(id)]),
})

type StoredMacroblock = LedgerMacroblock & { readonly transactions: readonly BlockTransaction[] }

/** Reads a macroblock whose every hash is recomputed from what is stored under it. */
async function storedMacroblock(store: ChainStore, height: number): Promise<StoredMacroblock> {
  const keyBlock = await store.keyBlockAt(height)
  if (keyBlock === undefined) throw new Error(`no key block ${height}`)
  const microblocks: LedgerMacroblock['microblocks'][number][] = []
  const all: BlockTransaction[] = []
  for (const { hash, transactionCount } of await store.microblocksOf(height)) {
    const header = await store.microblock(hash)
    const transactions = await store.transactionsOf(hash)
    if (header === undefined) throw new Error(`no header of ${hash}`)
    expect(transactions).toHaveLength(transactionCount)
    expect(transactions.map((one) => transactionHash(one))).toEqual(transactions.map((one) => one.hash))
    expect(microblockHash({ ...header, keyBlockHash: keyBlock.hash, transactions })).toBe(hash)
    microblocks.push({ ...header, transactions })
    all.push(...transactions)
  }
  const vote = { keyBlockHash: keyBlock.hash, bulletin: 'not_implemented_yet', signature: '' }
  const statBlocks: LedgerMacroblock['statBlocks'][number][] = []
  for (const { hash } of await store.statBlocksOf(height)) {
    const publisher = (await store.statBlock(hash))?.publisher
    if (publisher === undefined) throw new Error(`no header of ${hash}`)
    expect(statBlockHash({ ...vote, publisher })).toBe(hash)
    statBlocks.push({ hash, publisher })
  }
  return { keyBlock, microblocks, statBlocks, transactions: all }
}

/**
 * Calculates every stored macroblock anew from the genesis and compares: the links and commitments of the key
 * blocks, the status of every transaction, and at the end every balance, token and delegation.
 *
 * @returns the height of the open key block
 */
export async function expectReplay(store: ChainStore, seed: string): Promise<number> {
  const genesis = createGenesis({ seed, time: 0, nativeTokenId: nativeToken() })
  const ledger = createLedgerState(genesis.content)
  const tail = await store.tail()
  for (let height = 0; height < tail.height; height++) {
    const macroblock = await storedMacroblock(store, height)
    const closed = closeMacroblock(ledger, macroblock, genesis.parameters.ledger)
    expect(await store.keyBlockAt(height + 1)).toMatchObject({
      link: macroblock.keyBlock.hash,
      merkleRoot: merkleRoot({
        microblockHashes: macroblock.microblocks.map(({ hash }) => hash),
        statBlockHashes: macroblock.statBlocks.map(({ hash }) => hash),
      }),
    })
    expect(macroblock.microblocks.length).toBeGreaterThan(0)
    const status = (one: { hash: string; microblockHash: string; status: string }) =>
      `${one.microblockHash} ${one.hash} ${one.status}`
    expect(macroblock.transactions.map(status).sort()).toEqual(closed.report.transactions.map(status).sort())
    ledger.applyChanges(closed.changes)
  }
  expect(await store.microblocksOf(tail.height)).toEqual([])
  expect(contentOf(await store.loadLedger())).toEqual(contentOf(ledger))
  return tail.height
}
