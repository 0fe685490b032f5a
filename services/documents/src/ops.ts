/** The exports for the operator's tool. */
export { SealConfig } from './config.ts';
export { appendOnlyTables } from './db/append-only-tables.ts';
export { migrations } from './db/migrations/index.ts';
export type { Database } from './db/schema.ts';
export {
  readCertificates,
  rememberCertificate,
} from './features/public-verification/seal-certificates.repository.ts';
export { configuredKey } from './features/finalization/seal-key.ts';
export { checkLog } from './features/transparency-log/check-log.ts';
export { openLogIdentity, parseWitness } from './features/transparency-log/log-identity.ts';
export { restartLog, RestartRefused } from './features/transparency-log/restart.ts';
