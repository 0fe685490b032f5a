/** What the operator's tool takes of this service. */
export { Config as WalletConfig } from './config.ts';
export { appendOnlyTables } from './db/append-only-tables.ts';
export { migrations } from './db/migrations/index.ts';
export { checkLedger } from './features/ledger/ledger-check.ts';
