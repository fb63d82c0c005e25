import { askWithRetries, inTransaction, type OpenDatabase, orUnreachable } from '@hailstone/database'
import { type Hash, hostError, type KeyBlock } from '@hailstone/protocol'
import { transactionHashesOf } from '../chain/learn-calculated.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { appendMacroblock } from './append-macroblock.ts'
import { assertCopy } from './assert-copy.ts'
import { connectReplica, openChainFolder, openChainServer } from './chain-database.ts'
import { encodeDump } from './chain-dump.ts'
import type { ChainOrigin, ChainStore } from './chain-store.ts'
import { copyLimits, createCopyUse } from './copy-use.ts'
import { assertLead, type Lead, renewLead } from './leadership.ts'
import { insertAll, type Queries } from './queries.ts'
import { accountReads, createRecordPages } from './read-accounts.ts'
import { batchedBlockReads, blockReads } from './read-blocks.ts'
import { exampleReads } from './read-examples.ts'
import { explorerReads } from './read-explorer.ts'
import { figureReads } from './read-figures.ts'
import { holderReads } from './read-holders.ts'
import { balancesAt, calculatedBelow, loadLedger, MAX_BALANCES, readTail } from './read-ledger.ts'
import { readMacroblocks } from './read-macroblocks.ts'
import { stakeReads } from './read-stakes.ts'
import { type Reads, readsOf } from './reads.ts'
import { createReplicaReads } from './replica-reads.ts'
import { assertReplicated, confirmReplicated } from './replication.ts'
import { keyBlockRow } from './rows.ts'
import type { Schema } from './schema.ts'
import { removeShared } from './shared-pool.ts'
import { createSharedStore, type SharedStore } from './shared-store.ts'
import { begunParameters, readParameters, writeParameters } from './stored-parameters.ts'
import { readBranch, truncateChain } from './truncate-chain.ts'
import { createWakeChannel, type WakeChannel } from './wake-channel.ts'
import { writeLedgerChanges } from './write-ledger.ts'

async function writeOrigin(queries: Queries, { parameters, content, origin }: ChainOrigin): Promise<void> {
  const present = await queries.selectFrom('key_block').select('height').limit(1).executeTakeFirst()
  if (present !== undefined) throw hostError('STORE_INVALID', { reason: 'it holds a chain already' })
  await writeParameters(queries, parameters)
  await writeLedgerChanges(
    queries,
    {
      balances: content.balances.map(({ amount, ...row }) => ({ ...row, after: amount })),
      tokens: content.tokens,
      stakePools: content.stakePools,
      delegations: content.delegations,
      undelegations: [],
    },
    null,
  )
  await insertAll(queries, 'key_block', [{ ...keyBlockRow(origin), reward: null }])
}

/** Place of a chain: a folder, a server, or neither for memory. */
export type ChainPlace = {
  readonly folder?: string | undefined
  /** Of a server that speaks the protocol of PostgreSQL: `postgres://user:password@host:port/database`. */
  readonly database?: string | undefined
  /** Of a copy of that server which answers reads while it is as far as this process. */
  readonly readDatabase?: string | undefined
  /** True if nothing counts as stored on the server before a standby has it. @default false */
  readonly requireReplica?: boolean | undefined
  /** A dump with which a new chain begins; not on a server. */
  readonly load?: Uint8Array<ArrayBuffer> | undefined
  /** Balances in memory; of a network that has more, those in use. @default 100,000 */
  readonly maxBalances?: number | undefined
}

/** A chain store that owns its database and closes it. */
export type OpenedStore = ChainStore &
  AsyncDisposable & {
    /** Set where other processes may work with the same chain. */
    readonly shared: SharedStore | null
    /** Returns the store from which clients are answered, with reads from a copy where there is one. */
    readonly forClients: (parts: {
      /** Returns the open key block of this process. */
      readonly announced: () => KeyBlock
      /**
       * Called with the height that was shown, beyond the announced key block, when the chain goes on without it.
       *
       * @default nothing happens
       */
      readonly wentBack?: ((fromHeight: number) => void) | undefined
      /** @default silent */
      readonly logger?: Logger | undefined
    }) => ClientReads
    /** Copies the chain into bytes with which a new one can begin; null for a chain on a server. */
    readonly dump: (() => Promise<Uint8Array>) | null
  }

/** Reads that answer clients. */
export type ClientReads = {
  readonly store: ChainStore
  /** Returns the height of the newest key block that this process announced or an answer may have shown. */
  readonly height: () => number
  /** Forgets what was shown; for a chain that went back, when that has been announced. */
  readonly reset: () => void
  /** Compares what was shown with the key block that this process announces now. */
  readonly noteAnnounced: () => void
  /** Returns `in use`, or why the read replica is not used; null without one. */
  readonly copyState: () => string | null
}

/** Reads that answer clients. */
const clientReads = (queries: Queries) => ({
  ...readsOf(queries, {
    ...{ ...blockReads, ...accountReads, ...figureReads, ...explorerReads },
    ...{ ...holderReads, ...stakeReads, ...exampleReads },
  }),
  ...batchedBlockReads(queries),
  recordPage: createRecordPages(queries),
})

/** Reads of the process that keeps the chain. */
const chainReads = {
  ...{ parameters: readParameters, tail: readTail, branch: readBranch },
  ...{ calculatedBelow, balancesAt, macroblocks: readMacroblocks },
} satisfies Reads

/** Time for which a lost server is retried before a read fails, in ms. */
const READ_RETRY_MS = 1500

/** Every question is asked again while the server is away for a moment; a database that was dropped is away for longer. */
const withRetries = <Reads extends object>(reads: Reads): Reads =>
  Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      (...given: readonly unknown[]) =>
        askWithRetries(READ_RETRY_MS, () => read(...given)).catch((error: unknown) => {
          throw orUnreachable(error)
        }),
    ]),
  ) as Reads

/**
 * Opens a chain. A folder belongs to this process until `close`, a server is shared; a process that was killed in
 * the middle of a macroblock leaves the macroblock before it.
 *
 * @throws {NodeError} `STORE_LOCKED`, `STORE_INVALID`, `STORE_UNREACHABLE`, `STORE_NOT_REPLICATED`,
 * `CONFIGURATION_INVALID` if the server for reads is no replica of the database
 */
export async function openChainStore(place: ChainPlace = {}): Promise<OpenedStore> {
  const { folder, database, load, maxBalances } = place
  return database === undefined
    ? storeOver(await openChainFolder({ folder, load }), null, { maxBalances })
    : openShared(database, place)
}

type StoreOptions = Pick<ChainPlace, 'readDatabase' | 'requireReplica' | 'maxBalances'>

async function openShared(url: string, options: StoreOptions): Promise<OpenedStore> {
  const opened = await openChainServer(url, options.requireReplica)
  try {
    if (options.requireReplica === true)
      await askWithRetries(READ_RETRY_MS, () => assertReplicated(opened.queries))
    if (options.readDatabase !== undefined) await assertCopy(opened.queries, options.readDatabase)
  } catch (error) {
    await opened.close()
    throw error
  }
  return storeOver(opened, createWakeChannel(opened), options)
}

function storeOver(
  {
    queries,
    close: closeDatabase,
    dump,
  }: Omit<OpenDatabase<Schema>, 'dump'> & Partial<Pick<OpenDatabase<Schema>, 'dump'>>,
  channel: WakeChannel | null,
  { readDatabase, requireReplica = false, maxBalances = MAX_BALANCES }: StoreOptions,
): OpenedStore {
  const lead: { current: Lead | null } = { current: null }
  let closing: Promise<void> | undefined
  const closings: (() => Promise<void>)[] = [closeDatabase]
  const close = () => {
    closing ??= Promise.all(closings.map((end) => end())).then(() => {})
    return closing
  }
  const reads = {
    ...clientReads(queries),
    ...readsOf(queries, chainReads),
    loadLedger: () => loadLedger(queries, maxBalances),
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
  const store: ChainStore = {
    ...(channel === null ? reads : withRetries(reads)),
    initialise: (origin) => inTransaction(queries, (transaction) => writeOrigin(transaction, origin)),
    async appendMacroblock(macroblockClosing) {
      const { ledger } = await begunParameters(queries)
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
  }
  return {
    ...store,
    shared:
      channel === null ? null : createSharedStore({ queries, channel, lead, requireReplica, maxBalances }),
    forClients({ announced, wentBack, logger = silentLogger }) {
      const height = () => announced().height
      const nothing = (): void => {}
      if (readDatabase === undefined)
        return { store, height, reset: nothing, noteAnnounced: nothing, copyState: () => null }
      const { around, readFrom, ...bookkeeping } = createReplicaReads(announced, wentBack)
      const copy = connectReplica(readDatabase, { ...copyLimits, around })
      const replica = { ...clientReads(copy.queries), tail: () => readTail(copy.queries) }
      const use = createCopyUse({ probe: replica.tail, logger })
      closings.push(async () => use.close(), copy.close)
      return {
        ...bookkeeping,
        store: { ...store, ...readFrom({ replica, primary: store }, use) },
        copyState: use.state,
      }
    },
    dump: dump === undefined ? null : async () => encodeDump(await dump()),
    [Symbol.asyncDispose]: close,
  }
}
