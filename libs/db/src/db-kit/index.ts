/** Postgres for services: connection, migrations, transactions, identifiers. */
export { prepared } from './client.ts';
export { createDb, databaseIsCrowded, KEEP_ALIVE, type Db, type DbOptions } from './db.ts';
export { awaitMigrations, migrateToLatest, type Migration, type Migrations } from './migrate.ts';
export { standingOf } from './migration-standing.ts';
export { runtimeRoleOf, type AppendOnlyTables } from './rights.ts';
export {
  afterCommit,
  assertOutsideTransaction,
  inTransaction,
  lockName,
  type Tx,
  type TxOptions,
} from './transaction.ts';
export { isSerializationFault, isUniqueViolation } from './faults.ts';
export { isUuid, randomCode8, uuidv7 } from './ids.ts';
