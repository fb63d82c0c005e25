import { hostError } from '@hailstone/protocol'
import { sql } from 'kysely'
import { isKnownDead } from '../cluster/process-name.ts'
import { openChainServer } from './chain-database.ts'
import { isSameLease, LEASE_MS, readSharedState } from './leadership.ts'
import type { Queries } from './queries.ts'

const tables = [
  'account_record',
  'balance',
  'block_transaction',
  'chain_parameter',
  'chain_total',
  'delegation',
  'key_block',
  'microblock',
  'pool_transaction',
  'pool_sender',
  'record_count',
  'reward_total',
  'stake_pool',
  'stat_block',
  'token',
  'undelegation',
] as const

/** True if a process renews the lead. Waits for as long as a process that lives may take for that. */
async function isLed(queries: Queries): Promise<boolean> {
  const before = await readSharedState(queries)
  if (before === null || before.holder === '' || (await isKnownDead(before.holder))) return false
  const deadline = performance.now() + LEASE_MS
  while (performance.now() < deadline) {
    const now = await readSharedState(queries)
    if (now === null || !isSameLease(now, before)) return now !== null && now.holder !== ''
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/**
 * Throws the chain of a database away. What belongs to nobody of us stays.
 *
 * @throws {NodeError} `CONTROL_REFUSED` while a process leads there, `STORE_UNREACHABLE`
 */
export async function dropChain(url: string): Promise<void> {
  const { queries, close } = await openChainServer(url)
  try {
    if (await isLed(queries))
      throw hostError('CONTROL_REFUSED', { reason: 'another process works with this database' })
    await queries.transaction().execute(async (transaction) => {
      for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(transaction)
    })
  } finally {
    await close()
  }
}
