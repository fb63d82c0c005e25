import { inTransaction } from '@hailstone/database'
import type { LedgerState } from '@hailstone/ledger'
import type { Hash, KeyBlock, Transaction } from '@hailstone/protocol'
import {
  type Claim,
  claimLead,
  type Lead,
  readSharedState,
  releaseLead,
  renewLead,
  type SharedState,
} from './leadership.ts'
import type { Queries } from './queries.ts'
import { loadLedger, readTail } from './read-ledger.ts'
import { assertReplicated, confirmReplicated, isStandbyAwaited } from './replication.ts'
import {
  type PoolNews,
  type PostedTransaction,
  postShared,
  readContents,
  readShared,
  refileShared,
  removeShared,
  sharedHashes,
} from './shared-pool.ts'
import { readBranch } from './truncate-chain.ts'
import type { WakeChannel } from './wake-channel.ts'

/** Ledger and tip of one moment, whoever writes meanwhile. */
type LoadedChain = { readonly ledger: LedgerState; readonly tail: KeyBlock; readonly branch: number }

/** Operations of several processes over one database, besides reading and writing the chain. */
export type SharedStore = {
  /** Reads the lease of the leader, with height and pool; null before the first lease. */
  readonly state: () => Promise<SharedState | null>
  /** The new term when the lead was free; from then on the store writes the chain in its name. */
  readonly claim: (claim: Claim) => Promise<number | null>
  /** False when somebody else leads. */
  readonly renew: () => Promise<boolean>
  /** Gives the lead back, so that another process can claim it at once. */
  readonly release: () => Promise<void>
  /**
   * Returns those that are refused, because their senders have too many waiting.
   *
   * @throws {NodeError} `STORE_NOT_REPLICATED` where a standby is required
   */
  readonly post: (transactions: readonly PostedTransaction[]) => Promise<readonly Hash[]>
  /** Removes transactions from the pool of all processes. */
  readonly remove: (hashes: readonly Hash[]) => Promise<void>
  /** Counts transactions in the quota of another sender. */
  readonly refile: (hashes: readonly Hash[], sender: string) => Promise<void>
  /** Reads what came into the pool after a number, and what left it. */
  readonly news: (after: bigint) => Promise<PoolNews>
  /** Reads waiting transactions by their hashes. */
  readonly contents: (hashes: readonly Hash[]) => Promise<ReadonlyMap<Hash, Transaction>>
  /** Reads the hashes of all waiting transactions. */
  readonly poolHashes: () => Promise<readonly Hash[]>
  /** Reads the ledger and the open key block. */
  readonly loadChain: () => Promise<LoadedChain>
  /**
   * Resolves when a standby has everything that could be read before; at once where none is required.
   *
   * @throws {NodeError} `STORE_NOT_REPLICATED`
   */
  readonly confirm: () => Promise<void>
  /** Returns true if the server keeps a commit waiting until a standby has it. */
  readonly isStandbyAwaited: () => Promise<boolean>
} & WakeChannel

/** @param lead what this process leads under; a box, since the store writes with it */
export function createSharedStore(parameters: {
  readonly queries: Queries
  readonly channel: WakeChannel
  readonly lead: { current: Lead | null }
  /** True if a post counts only once a standby has it. */
  readonly requireReplica: boolean
  readonly maxBalances: number
}): SharedStore {
  const { queries, channel, lead, requireReplica, maxBalances } = parameters
  const assertKept = async (): Promise<void> => {
    if (requireReplica) await assertReplicated(queries)
  }
  return {
    ...channel,
    state: () => readSharedState(queries),
    async claim(claim) {
      const term = await claimLead(queries, claim)
      // A lead that is over stays the one we write under: everything that is still on its way is refused.
      if (term !== null) lead.current = { term, holder: claim.holder }
      return term
    },
    renew: async () => lead.current !== null && (await renewLead(queries, lead.current)),
    async release() {
      if (lead.current !== null) await releaseLead(queries, lead.current)
    },
    async post(transactions) {
      await assertKept()
      const { refused, areAllNew } = await postShared(queries, transactions)
      // A statement that wrote nothing has waited for nobody: whoever wrote the row may have been told that it does not count.
      if (requireReplica && !areAllNew) await confirmReplicated(queries)
      // A server that gives its last standby up acknowledges what waited for it.
      else await assertKept()
      return refused
    },
    remove: (hashes) => inTransaction(queries, (one) => removeShared(one, hashes)),
    refile: (hashes, sender) => inTransaction(queries, (one) => refileShared(one, hashes, sender)),
    news: (after) => readShared(queries, after),
    contents: (hashes) => readContents(queries, hashes),
    poolHashes: () => sharedHashes(queries),
    async confirm() {
      if (requireReplica) await confirmReplicated(queries)
    },
    isStandbyAwaited: () => isStandbyAwaited(queries),
    loadChain: () =>
      queries
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (snapshot) => ({
          ledger: await loadLedger(snapshot, maxBalances),
          tail: await readTail(snapshot),
          branch: await readBranch(snapshot),
        })),
  }
}
