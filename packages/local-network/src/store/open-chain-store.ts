import { askWithRetries, inTransaction, type OpenDatabase } from '@hailstone/database'
import type { NetworkParameters } from '@hailstone/ledger'
import { type Hash, hostError } from '@hailstone/protocol'
import { transactionHashesOf } from '../chain/learn-calculated.ts'
import { appendMacroblock } from './append-macroblock.ts'
import { openChainFolder, openChainServer } from './chain-database.ts'
import { encodeDump } from './chain-dump.ts'
import type { ChainOrigin, ChainStore } from './chain-store.ts'
import { assertLead, type Lead, renewLead } from './leadership.ts'
import { insertAll, type Queries } from './queries.ts'
import { accountReads } from './read-accounts.ts'
import { blockReads } from './read-blocks.ts'
import { exampleReads } from './read-examples.ts'
import { explorerReads } from './read-explorer.ts'
import { figureReads } from './read-figures.ts'
import { holderReads } from './read-holders.ts'
import { calculatedBelow, loadLedger, readTail } from './read-ledger.ts'
import { readMacroblocks } from './read-macroblocks.ts'
import { stakeReads } from './read-stakes.ts'
import { assertReplicated, confirmReplicated } from './replication.ts'
import { keyBlockRow } from './rows.ts'
import type { Schema } from './schema.ts'
import { removeShared } from './shared-pool.ts'
import { createSharedStore, type SharedStore } from './shared-store.ts'
import { readParameters, writeParameters } from './stored-parameters.ts'
import { readBranch, truncateChain } from './truncate-chain.ts'
import { createWakeChannel, type WakeChannel } from './wake-channel.ts'
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

/** Place of a chain: a folder, a server, or neither for memory. */
export type ChainPlace = {
  readonly folder?: string | undefined
  /** Of a server that speaks the protocol of PostgreSQL: `postgres://user:password@host:port/database`. */
  readonly database?: string | undefined
  /** True if nothing counts as stored on the server before a standby has it. @default false */
  readonly requireReplica?: boolean | undefined
  /** A dump with which a new chain begins; not on a server. */
  readonly load?: Uint8Array<ArrayBuffer> | undefined
}

/** A chain store that owns its database and closes it. */
export type OpenedStore = ChainStore &
  AsyncDisposable & {
    /** Set where other processes may work with the same chain. */
    readonly shared: SharedStore | null
    /** Copies the chain into bytes with which a new one can begin; null for a chain on a server. */
    readonly dump: (() => Promise<Uint8Array>) | null
  }

/** Time for which a lost server is retried before a read fails, in ms. */
const READ_RETRY_MS = 1500

/** Every question is asked again while the server is away for a moment. */
const withRetries = <Reads extends object>(reads: Reads): Reads =>
  Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      (...given: readonly unknown[]) => askWithRetries(READ_RETRY_MS, () => read(...given)),
    ]),
  ) as Reads

/**
 * Opens a chain. A folder belongs to this process until `close`, a server is shared; a process that was killed in
 * the middle of a macroblock leaves the macroblock before it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`, `STORE_UNREACHABLE`, `STORE_NOT_REPLICATED`
 */
export async function openChainStore(place: ChainPlace = {}): Promise<OpenedStore> {
  const { folder, database, load, requireReplica = false } = place
  return database === undefined
    ? storeOver(await openChainFolder({ folder, load }), null, false)
    : openShared(database, requireReplica)
}

async function openShared(url: string, requireReplica: boolean): Promise<OpenedStore> {
  const opened = await openChainServer(url, requireReplica)
  try {
    if (requireReplica) await askWithRetries(READ_RETRY_MS, () => assertReplicated(opened.queries))
  } catch (error) {
    await opened.close()
    throw error
  }
  return storeOver(opened, createWakeChannel(opened), requireReplica)
}

function storeOver(
  {
    queries,
    close: closeDatabase,
    dump,
  }: Omit<OpenDatabase<Schema>, 'dump'> & Partial<Pick<OpenDatabase<Schema>, 'dump'>>,
  channel: WakeChannel | null,
  requireReplica: boolean,
): OpenedStore {
  const lead: { current: Lead | null } = { current: null }
  const parameters = rememberedParameters(queries)
  const begun = async (): Promise<NetworkParameters> => {
    const found = await parameters()
    if (found === undefined) throw hostError('STORE_INVALID', { reason: 'it has no parameters' })
    return found
  }
  const network = async () => {
    const { ledger, transferLockBlocks } = await begun()
    return { nativeTokenId: ledger.nativeTokenId, transferLockBlocks }
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeDatabase()
    return closing
  }
  const reads = {
    ...blockReads(queries),
    ...accountReads(queries, network),
    ...figureReads(queries, network),
    ...explorerReads(queries),
    ...holderReads(queries),
    ...stakeReads(queries),
    ...exampleReads(queries),
    parameters,
    tail: () => readTail(queries),
    loadLedger: () => loadLedger(queries),
    calculatedBelow: (height: number, hashes: readonly Hash[]) => calculatedBelow(queries, height, hashes),
    macroblocks: (heights: { readonly from: number; readonly to: number }) =>
      readMacroblocks(queries, heights),
    branch: () => readBranch(queries),
  }
  /** Changes the chain in the name of the lead of this process, where there are leads. */
  const change = (step: (transaction: Queries) => Promise<void>): Promise<void> =>
    inTransaction(queries, async (transaction) => {
      if (lead.current !== null) await assertLead(transaction, lead.current)
      if (requireReplica) await assertReplicated(transaction)
      await step(transaction)
    })
  /** True if a macroblock was stored before; then the commit waits until a standby has that as well. */
  async function isStored(transaction: Queries, nextHash: Hash): Promise<boolean> {
    if (lead.current === null || (await readTail(transaction)).hash !== nextHash) return false
    return renewLead(transaction, lead.current)
  }
  return {
    ...(channel === null ? reads : withRetries(reads)),
    shared: channel === null ? null : createSharedStore({ queries, channel, lead, requireReplica }),
    dump: dump === undefined ? null : async () => encodeDump(await dump()),
    initialise: (origin) => inTransaction(queries, (transaction) => writeOrigin(transaction, origin)),
    async appendMacroblock(macroblockClosing) {
      const { ledger } = await begun()
      await change(async (transaction) => {
        if (requireReplica && (await isStored(transaction, macroblockClosing.nextKeyBlock.hash))) return
        await appendMacroblock(transaction, macroblockClosing, ledger)
        if (channel !== null)
          await removeShared(transaction, transactionHashesOf(macroblockClosing.macroblock))
      })
      // A server that gives its last standby up acknowledges what waited for it.
      if (requireReplica) await confirmReplicated(queries)
    },
    truncateTo: (height) => change((transaction) => truncateChain(transaction, height)),
    close,
    [Symbol.asyncDispose]: close,
  }
}
