/** What the operator's tool takes of this service. */
export { keptTables } from './db/kept-tables.ts';
export { migrations } from './db/migrations/index.ts';
export { checkLedger } from './features/ledger/ledger-check.ts';
