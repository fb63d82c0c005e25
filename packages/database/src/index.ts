export { askWithRetries, isCollision, isConnectionLoss, orUnreachable, passes } from './connection-loss.ts'
export { lockDataFolder } from './data-folder-lock.ts'
export { cutConnection } from './host-pool.ts'
export { inTransaction } from './in-transaction.ts'
export { type KeptPlace, keptPlaceOf, placeFlags } from './kept-place.ts'
export { type Migration, migrate } from './migrate.ts'
export { type DatabaseCopy, type OpenDatabase, openDatabase, removeDatabase } from './open-database.ts'
export {
  type AroundStatements,
  type AskSameConnection,
  connectPostgres,
  openPostgres,
  type PostgresDatabase,
  type PostgresParameters,
} from './open-postgres.ts'
export { assertOwner, namesText, type Owner } from './owner.ts'
export { hasPassword, postgresAddress, withSchema } from './postgres-address.ts'
