import { partitionByTime } from '@karaar/platform/frozen-tables';
import type { Kysely } from 'kysely';

/**
 * Divides the ledger's entries by the year of their transfer. Not by months: a wallet's page reads every partition, and
 * sixty of them make it ten times as slow (ADR 0033).
 */
export const up = (db: Kysely<unknown>): Promise<void> =>
  partitionByTime(db, { table: 'entries', key: 'transfer_id', months: 12 });
