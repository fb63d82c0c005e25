import { hostError } from '@hailstone/protocol'
import { sql } from 'kysely'
import { isKnownDead } from '../cluster/process-name.ts'
import { readSharedState } from './leadership.ts'
import { openPostgres } from './open-postgres.ts'

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
  'record_count',
  'reward_total',
  'stake_pool',
  'stat_block',
  'token',
  'undelegation',
] as const

/**
 * Throws the chain of a database away. What belongs to nobody of us stays.
 *
 * @throws {NodeError} `CONTROL_REFUSED` while a process leads there, `STORE_UNREACHABLE`
 */
export async function dropChain(url: string): Promise<void> {
  const { queries, close } = await openPostgres(url)
  try {
    const state = await readSharedState(queries)
    const isLed = state !== null && !state.isVacant && !(await isKnownDead(state.holder))
    if (isLed) throw hostError('CONTROL_REFUSED', { reason: 'another process works with this database' })
    await queries.transaction().execute(async (transaction) => {
      for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(transaction)
    })
  } finally {
    await close()
  }
}
