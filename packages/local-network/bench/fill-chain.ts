import { createGenesis } from '@hailstone/ledger'
import { sql } from 'kysely'
import { openChainFolder, openChainServer } from '../src/store/chain-database.ts'
import { openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { type ChainSize, type SyntheticHistory, writeSyntheticHistory } from './synthetic-history.ts'

/** Seed of every network over a filled place. */
export const SEED = 'history'

/** Begins a chain in an empty place and makes it as long as it is said to be. */
export async function fillChain(place: ChainPlace, size: ChainSize): Promise<SyntheticHistory> {
  {
    await using store = await openChainStore(place)
    await store.initialise(createGenesis({ seed: SEED, time: 0 }))
  }
  const { folder, database } = place
  const { queries, close } =
    database === undefined ? await openChainFolder({ folder }) : await openChainServer(database)
  try {
    const history = await writeSyntheticHistory(queries, size)
    // A server gathers statistics by itself, some time after so many rows; the embedded engine never does.
    if (database !== undefined) await sql`analyze`.execute(queries)
    return history
  } finally {
    await close()
  }
}
