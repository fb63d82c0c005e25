import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import { type KeyBlock, type Macroblock, type Transaction, transactionHash } from '@hailstone/protocol'
import type { BlockProducer, ChainTip } from '../chain/block-producer.ts'
import { calculateMacroblock } from '../chain/calculate-macroblock.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { PendingEntry } from '../chain/pending-entry.ts'
import type { SealedMacroblock } from '../chain/seal-macroblock.ts'
import type { ChainStore } from '../store/index.ts'
import type { ChainArchive } from './chain-archive.ts'
import { controlRefused } from './control-refused.ts'

export type RewindParts = {
  readonly producer: BlockProducer
  readonly store: ChainStore
  readonly ledger: LedgerState
  readonly mempool: Mempool
  readonly parameters: NetworkParameters
  readonly archive: ChainArchive
}

/** The hash is kept: that of a nonce with a fraction cannot be computed from what the pool stores. */
type Waiting = Pick<PendingEntry, 'transaction' | 'hash'>

/** A state of the chain that can be returned to. */
export type ChainSnapshot = {
  readonly keyBlock: KeyBlock
  readonly pending: readonly Waiting[]
}

const tipOf = async ({ store }: RewindParts): Promise<ChainTip> => ({
  keyBlock: await store.tail(),
  branch: await store.branch(),
})

/** Opens the key block at the height again; answers what came after it. */
async function goBack(parts: RewindParts, height: number): Promise<readonly Macroblock[]> {
  const { producer, store, ledger, archive } = parts
  const tip = producer.openKeyBlock()
  const dropped = await store.macroblocks({ from: height, to: tip.height - 1 })
  await store.truncateTo(height)
  ledger.replaceWith(await store.loadLedger())
  archive.keep(dropped, tip)
  return dropped
}

const addAll = ({ mempool }: RewindParts, waiting: Iterable<Waiting>): void => {
  for (const { transaction, hash } of waiting) mempool.add(transaction, hash)
}

const hashed = (transaction: Transaction): Waiting => ({ transaction, hash: transactionHash(transaction) })

/**
 * Takes the newest macroblocks off the chain.
 *
 * @throws {NodeError} `CONTROL_REFUSED` when there are fewer
 */
export async function reorganiseChain(
  parts: RewindParts,
  options: { readonly blocks: number; readonly keepTransactions: boolean },
): Promise<void> {
  const { blocks, keepTransactions } = options
  await parts.producer.replaceTip(async () => {
    const { height } = parts.producer.openKeyBlock()
    if (!Number.isSafeInteger(blocks) || blocks < 1 || blocks > height)
      throw controlRefused(`${blocks} macroblocks cannot be taken off a chain of ${height}`)
    const dropped = await goBack(parts, height - blocks)
    const orphans = dropped.flatMap(({ microblocks }) => microblocks.flatMap((one) => one.transactions))
    if (keepTransactions) addAll(parts, orphans.map(hashed))
    return tipOf(parts)
  })
}

/** Resolves to true if the key block, open or closed, is on the current chain. */
const isOnChain = async ({ store }: RewindParts, { hash }: KeyBlock): Promise<boolean> =>
  (await store.keyBlock(hash)) !== undefined

/** Returns the macroblocks to put back on top of the chain, and the height where they begin. */
async function wayBack(
  parts: RewindParts,
  keyBlock: KeyBlock,
): Promise<{ readonly from: KeyBlock; readonly missing: readonly SealedMacroblock[] }> {
  const missing: SealedMacroblock[] = []
  let from = keyBlock
  while (!(await isOnChain(parts, from))) {
    const sealed = parts.archive.closedBy(from.hash)
    if (sealed === undefined)
      throw controlRefused(`macroblock ${from.height - 1} of the snapshot is not kept`)
    missing.unshift(sealed)
    from = sealed.macroblock.keyBlock
  }
  return { from, missing }
}

async function putBack({ store, ledger, parameters }: RewindParts, sealed: SealedMacroblock): Promise<void> {
  const { macroblock } = sealed
  const closed = await calculateMacroblock(ledger, { store, macroblock, rules: parameters.ledger })
  await store.appendMacroblock({ ...sealed, closed })
  ledger.applyChanges(closed.changes)
}

/** Returns to a snapshot, from wherever the chain went meanwhile: the same blocks, the same waiting transactions. */
export async function revertChain(parts: RewindParts, snapshot: ChainSnapshot): Promise<void> {
  const { producer, mempool } = parts
  await producer.replaceTip(async () => {
    const { from, missing } = await wayBack(parts, snapshot.keyBlock)
    if (from.height < producer.openKeyBlock().height) await goBack(parts, from.height)
    for (const sealed of missing) await putBack(parts, sealed)
    mempool.remove(mempool.entries().map(({ hash }) => hash))
    addAll(parts, snapshot.pending)
    return tipOf(parts)
  })
}
