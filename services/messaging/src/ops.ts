/** What the operator's tool takes of this service. */
export { keptTables } from './db/kept-tables.ts';
export { migrations } from './db/migrations/index.ts';
