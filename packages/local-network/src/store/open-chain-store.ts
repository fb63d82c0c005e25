import { hostError } from '@hailstone/protocol'
import type { NetworkParameters } from '../genesis.ts'
import { appendMacroblock, MICROBLOCKS_PER_BATCH } from './append-macroblock.ts'
import type { ChainOrigin, ChainStore } from './chain-store.ts'
import { openDatabase } from './open-database.ts'
import { insertAll, type Queries } from './queries.ts'
import { accountReads } from './read-accounts.ts'
import { blockReads } from './read-blocks.ts'
import { explorerReads } from './read-explorer.ts'
import { figureReads } from './read-figures.ts'
import { holderReads } from './read-holders.ts'
import { loadLedger, readTail } from './read-ledger.ts'
import { readMacroblocks } from './read-macroblocks.ts'
import { stakeReads } from './read-stakes.ts'
import { keyBlockRow } from './rows.ts'
import { readParameters, writeParameters } from './stored-parameters.ts'
import { readBranch, truncateChain } from './truncate-chain.ts'
import { writeLedgerChanges } from './write-ledger.ts'

async function writeOrigin(queries: Queries, { parameters, content, origin }: ChainOrigin): Promise<void> {
  const present = await queries.selectFrom('key_block').select('height').limit(1).executeTakeFirst()
  if (present !== undefined) throw hostError('STORE_INVALID', { reason: 'it holds a chain already' })
  await writeParameters(queries, parameters)
  await writeLedgerChanges(queries, {
    balances: content.balances.map(({ amount, ...row }) => ({ ...row, after: amount })),
    tokens: content.tokens,
    stakePools: content.stakePools,
    delegations: content.delegations,
    undelegations: [],
  })
  await insertAll(queries, 'key_block', [{ ...keyBlockRow(origin), reward: null }])
}

/** Asks once; the parameters of a chain never change. */
function rememberedParameters(queries: Queries): () => Promise<NetworkParameters | undefined> {
  let known: NetworkParameters | undefined
  return async () => {
    known ??= await readParameters(queries)
    return known
  }
}

/**
 * Opens the chain in a folder, or an empty one in memory. The folder belongs to this process until `close`; a
 * process that was killed in the middle of a macroblock leaves the macroblock before it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`
 */
export async function openChainStore(
  options: { readonly folder?: string | undefined } = {},
): Promise<ChainStore & AsyncDisposable> {
  const { queries, close: closeDatabase } = await openDatabase(options)
  const parameters = rememberedParameters(queries)
  const network = async () => {
    const found = await parameters()
    if (found === undefined) throw hostError('STORE_INVALID', { reason: 'it has no parameters' })
    return { nativeTokenId: found.ledger.nativeTokenId, transferLockBlocks: found.transferLockBlocks }
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeDatabase()
    return closing
  }
  return {
    ...blockReads(queries),
    ...accountReads(queries, network),
    ...figureReads(queries, network),
    ...explorerReads(queries),
    ...holderReads(queries),
    ...stakeReads(queries),
    initialise: (origin) => queries.transaction().execute((transaction) => writeOrigin(transaction, origin)),
    parameters,
    tail: () => readTail(queries),
    loadLedger: () => loadLedger(queries),
    async appendMacroblock(macroblockClosing) {
      const microblocksPerBatch = (await parameters())?.ledger.microblocksPerBatch ?? MICROBLOCKS_PER_BATCH
      await queries
        .transaction()
        .execute((transaction) => appendMacroblock(transaction, macroblockClosing, microblocksPerBatch))
    },
    macroblocks: (heights) => readMacroblocks(queries, heights),
    truncateTo: (height) =>
      queries.transaction().execute((transaction) => truncateChain(transaction, height)),
    branch: () => readBranch(queries),
    close,
    [Symbol.asyncDispose]: close,
  }
}
