import { retryDeadLetterRpc, type RetryOutcome } from '@karaar/contracts/dead-letters';
import type { Bus } from '@karaar/bus';
import { AppError } from '@karaar/base/errors';
import { sql, type RawBuilder } from 'kysely';
import { withDatabase, type ServiceDatabase } from './databases.ts';

/** A filter; a missing field matches all letters. */
export type Which = {
  service?: string | undefined;
  handler?: string | undefined;
  event?: string | undefined;
};

export type Letter = {
  service: string;
  event_id: string;
  handler: string;
  subject: string;
  /** The error; it names fields, never values. */
  reason: string;
  deliveries: number;
  created_at: Date;
};

const matching = ({ handler, event }: Which): RawBuilder<boolean> => sql<boolean>`
  handler = coalesce(${handler ?? null}::text, handler) and event_id = coalesce(${event ?? null}::text, event_id)`;

/** Returns the letters, the oldest first within each service, which is the order of a retry. */
export async function findLetters(databases: readonly ServiceDatabase[], which: Which): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const database of databases) {
    if (which.service !== undefined && database.service !== which.service) continue;
    const { rows } = await withDatabase(database, (db) =>
      sql<Omit<Letter, 'service'>>`
        select event_id, handler, subject, reason, deliveries, created_at from dead_letter
        where ${matching(which)} order by created_at, event_id`.execute(db),
    );
    letters.push(...rows.map((row) => ({ service: database.service, ...row })));
  }
  return letters;
}

export type Retried = { letter: Letter; outcome: RetryOutcome | 'away' };

/** Asks the running services to apply letters again, one by one. Skips a service after it did not answer. */
export async function retryLetters(bus: Bus, letters: readonly Letter[]): Promise<Retried[]> {
  const away = new Set<string>();
  const retried: Retried[] = [];
  for (const letter of letters) {
    const outcome = away.has(letter.service) ? 'away' : await retryLetter(bus, letter);
    if (outcome === 'away') away.add(letter.service);
    retried.push({ letter, outcome });
  }
  return retried;
}

async function retryLetter(bus: Bus, letter: Letter): Promise<Retried['outcome']> {
  const { service, handler, event_id } = letter;
  try {
    return (await bus.request(retryDeadLetterRpc(service), { handler, event_id })).outcome;
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return 'away';
    throw error;
  }
}

/** Deletes letters of one service. Returns each with its event, so that the operator can keep it. */
export async function dropLetters(
  database: ServiceDatabase,
  which: Omit<Which, 'service'> & { event: string },
): Promise<{ handler: string; message: string }[]> {
  const { rows } = await withDatabase(database, (db) =>
    sql<{ handler: string; message: string }>`
      delete from dead_letter where ${matching(which)} returning handler, message`.execute(db),
  );
  return rows;
}
