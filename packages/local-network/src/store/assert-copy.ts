import { askWithRetries, isConnectionLoss } from '@hailstone/database'
import { NodeError } from '@hailstone/protocol'
import { sql } from 'kysely'
import { reasonOf } from '../logger.ts'
import { connectReplica } from './chain-database.ts'
import type { Queries } from './queries.ts'

/** Time that the primary has to say which one it is, in ms. */
const RETRY_MS = 1500
/** Time limit of a copy for the same; one that does not answer may come later. In ms. */
const ANSWER_MS = 2000

/** SQLSTATEs of a server that does not let its users ask which one it is, or has no such function. */
const NO_IDENTITY = ['42501', '42883']

type Identity = { readonly database: string; readonly system: string | null }

/** A server and its standbys have one identifier in common, from when the first of them was created. */
async function identityOf(queries: Queries): Promise<Identity> {
  const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(queries)
  const database = rows[0]?.database ?? ''
  try {
    const found = await sql<{ system: string }>`
      select system_identifier::text as system from pg_control_system()
    `.execute(queries)
    return { database, system: found.rows[0]?.system ?? null }
  } catch (error) {
    if (!NO_IDENTITY.includes(String((error as { readonly code?: unknown }).code))) throw error
    return { database, system: null }
  }
}

const wrong = (found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', {
    path: 'readDatabase',
    expected: 'a standby of the database',
    found,
  })

/**
 * Asserts that an address for reads is that of a copy of a database: the address is right, and the server is a standby
 * of the primary, or the primary itself. One that does not answer now may do so later.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `STORE_UNREACHABLE` if the primary is away
 */
export async function assertCopy(primary: Queries, url: string): Promise<void> {
  const expected = await askWithRetries(RETRY_MS, () => identityOf(primary))
  const copy = connectReplica(url, { limitMs: ANSWER_MS })
  let found: Identity
  try {
    found = await identityOf(copy.queries)
  } catch (error) {
    if (isConnectionLoss(error)) return
    throw wrong(`a server that says: ${reasonOf(error).replaceAll('"', "'")}`)
  } finally {
    await copy.close()
  }
  if (found.database !== expected.database) throw wrong(`the database ${found.database}`)
  const areKnown = found.system !== null && expected.system !== null
  if (areKnown && found.system !== expected.system) throw wrong('a server that is no copy of it')
}
