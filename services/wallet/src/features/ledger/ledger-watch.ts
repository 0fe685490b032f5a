/** Proves the ledger again and again beside the running service, for the alarm. */
import { createDb } from '@karaar/platform/db-kit';
import type { Logger } from '@karaar/platform/logging';
import { gauge } from '@karaar/platform/telemetry';
import { startWorker } from '@karaar/platform/worker';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { checkLedger } from './ledger-check.ts';

const faults = gauge({ name: 'ledger_faults', help: 'Faults that the last check of the ledger found' });
const checked = gauge({
  name: 'ledger_checked_at_seconds',
  help: 'When the ledger was last checked to its end, in seconds since 1970',
});

const STATEMENT_MS = 30 * 60_000;
/** One check at a time, whichever process it is. */
const LOCK = 7_236_118_042;

/**
 * Checks every `everyS` seconds on a connection of its own, so that no request waits for it; not at all with 0.
 * @returns stops it
 */
export function startLedgerWatch(
  options: { url: string; everyS: number },
  logger: Pick<Logger, 'error' | 'warn'>,
): () => Promise<void> {
  if (options.everyS === 0) return async () => undefined;
  const db = createDb<Database>({
    url: options.url,
    max: 2,
    applicationName: 'wallet-ledger-watch',
    statementTimeoutMs: STATEMENT_MS,
  });
  const check = async (): Promise<void> => {
    await db.connection().execute(async (connection) => {
      const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${LOCK}) as mine`.execute(
        connection,
      );
      if (rows[0]?.mine !== true) return;
      try {
        const report = await checkLedger(db);
        faults.set(report.faults.length);
        checked.set(Date.now() / 1_000);
        if (report.faults.length > 0)
          logger.error({ faults: report.faults.slice(0, 20) }, 'the ledger does not add up');
      } finally {
        await sql`select pg_advisory_unlock(${LOCK})`.execute(connection);
      }
    });
  };
  const worker = startWorker({
    restMs: options.everyS * 1_000,
    restsFirst: true,
    turn: check,
    onError: (err) => logger.warn({ err }, 'the ledger could not be checked'),
  });
  return async () => {
    await worker.stop();
    await db.destroy();
  };
}
