/** What the operator's tool takes of this service. */
export { appendOnlyTables } from './db/append-only-tables.ts';
export { migrations } from './db/migrations/index.ts';
