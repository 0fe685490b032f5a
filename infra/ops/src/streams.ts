/** The broker's streams from Postgres, which is the record (design §2.4). */
import { reopen, unpark } from '@karaar/platform/bus';
import type { Db } from '@karaar/platform/db-kit';
import { withDatabase, type ServiceDatabase } from './databases.ts';

/**
 * Makes every kept event due again: the services' relays publish them within seconds, and consumers skip by their
 * inbox what they have applied.
 * @returns how many events
 */
export const republishAll = (databases: readonly ServiceDatabase[]): Promise<number> =>
  inAll(databases, (db) => reopen(db, '%'));

/** Lets parked events try again. @returns how many */
export const unparkAll = (databases: readonly ServiceDatabase[]): Promise<number> =>
  inAll(databases, (db) => unpark(db));

async function inAll(
  databases: readonly ServiceDatabase[],
  work: (db: Db<unknown>) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (const database of databases) count += await withDatabase(database, work);
  return count;
}
