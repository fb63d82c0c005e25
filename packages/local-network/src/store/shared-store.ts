import type { Hash, KeyBlock } from '@hailstone/protocol'
import type { LedgerState } from '../ledger/index.ts'
import {
  type Claim,
  claimLead,
  readMiners,
  readSharedState,
  releaseLead,
  renewLead,
  type SharedState,
  writeMiners,
} from './leadership.ts'
import type { Queries } from './queries.ts'
import { loadLedger, readTail } from './read-ledger.ts'
import {
  type PoolNews,
  postShared,
  readShared,
  removeShared,
  type SharedTransaction,
  sharedHashes,
} from './shared-pool.ts'
import { readBranch } from './truncate-chain.ts'
import type { WakeChannel } from './wake-channel.ts'

/** Ledger and tip of one moment, whoever writes meanwhile. */
type LoadedChain = { readonly ledger: LedgerState; readonly tail: KeyBlock; readonly branch: number }

/** What several processes over one database do with it besides reading and writing the chain. */
export type SharedStore = {
  readonly state: () => Promise<SharedState | null>
  /** The new term when the lead was free; from then on the store writes the chain in its name. */
  readonly claim: (claim: Claim) => Promise<number | null>
  /** False when the term is over. */
  readonly renew: (leaseMs: number) => Promise<boolean>
  readonly release: () => Promise<void>
  readonly writeMiners: (miners: string) => Promise<void>
  readonly readMiners: () => Promise<string>
  readonly post: (transactions: readonly SharedTransaction[]) => Promise<void>
  readonly remove: (hashes: readonly Hash[]) => Promise<void>
  readonly news: (after: bigint) => Promise<PoolNews>
  readonly poolHashes: () => Promise<readonly Hash[]>
  readonly loadChain: () => Promise<LoadedChain>
} & WakeChannel

/** @param term what this process leads under; a box, since the store writes with it */
export function createSharedStore(parameters: {
  readonly queries: Queries
  readonly channel: WakeChannel
  readonly term: { current: number | null }
}): SharedStore {
  const { queries, channel, term } = parameters
  return {
    ...channel,
    state: () => readSharedState(queries),
    async claim(claim) {
      const claimed = await claimLead(queries, claim)
      // A term that is over stays the one we write under: everything that is still on its way is refused.
      term.current = claimed ?? term.current
      return claimed
    },
    renew: async (leaseMs) => term.current !== null && (await renewLead(queries, term.current, leaseMs)),
    async release() {
      const { current } = term
      term.current = null
      if (current !== null) await releaseLead(queries, current)
    },
    writeMiners: async (miners) => {
      if (term.current !== null) await writeMiners(queries, term.current, miners)
    },
    readMiners: () => readMiners(queries),
    post: (transactions) => postShared(queries, transactions),
    remove: (hashes) => removeShared(queries, hashes),
    news: (after) => readShared(queries, after),
    poolHashes: () => sharedHashes(queries),
    loadChain: () =>
      queries
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (snapshot) => ({
          ledger: await loadLedger(snapshot),
          tail: await readTail(snapshot),
          branch: await readBranch(snapshot),
        })),
  }
}
