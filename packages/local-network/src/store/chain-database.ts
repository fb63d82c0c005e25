import {
  type AroundStatements,
  connectPostgres,
  type OpenDatabase,
  type Owner,
  openDatabase,
  openPostgres,
  type PostgresDatabase,
} from '@hailstone/database'
import { decodeDump } from './chain-dump.ts'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

const applicationName = 'hailstone-network'

/** Owner of the tables of a chain. */
export const chainOwner: Owner = {
  program: applicationName,
  tables: ['key_block', 'account_record'],
  needsOwnDatabase: true,
}

/** True for the statements of {@link batched}, which are asked most. */
const keepsPlan = (text: string): boolean => text.includes('with ordinality as given')

/** The embedded database of a chain, in memory without a folder. */
export const openChainFolder = ({
  folder,
  load,
}: {
  readonly folder?: string | undefined
  /** A dump with which a new chain begins. */
  readonly load?: Uint8Array<ArrayBuffer> | undefined
}): Promise<OpenDatabase<Schema>> =>
  openDatabase({
    folder,
    migrations,
    owner: chainOwner,
    load: load === undefined ? undefined : () => decodeDump(load),
  })

/** Connections to the server of a chain, whose tables may be missing. */
export const connectChainServer = (url: string): PostgresDatabase<Schema> =>
  connectPostgres({ url, applicationName, keepsPlan })

/** The database of a chain on a server, brought up to date. @param requireReplica true if a standby has to have commits */
export const openChainServer = (url: string, requireReplica = false): Promise<PostgresDatabase<Schema>> =>
  openPostgres({ url, applicationName, keepsPlan, migrations, owner: chainOwner, requireReplica })

/**
 * Connections to a copy of the chain that may lag.
 *
 * @param options.limitMs time limit of a statement, in ms; its connection is cut then
 * @param options.serverLimitMs the same for the server, which ends the statement by itself. @default that of the server
 */
export const connectReplica = (
  url: string,
  options: {
    readonly limitMs: number
    readonly serverLimitMs?: number | undefined
    readonly around?: AroundStatements | undefined
  },
): PostgresDatabase<Schema> =>
  connectPostgres({
    ...{ url, keepsPlan, readsOnly: true },
    applicationName: `${applicationName}-reads`,
    ...options,
  })
