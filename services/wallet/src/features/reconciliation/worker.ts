/** Compares the books each day, in one process of the cluster: the run is a row with a lease. */
import { gaugeOnScrape } from '@karaar/observability/telemetry';
import { startWorker, whileBeating, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { waiting } from '../exceptions/exceptions.repository.ts';
import { compareBooks } from './compare.service.ts';
import {
  claimRun,
  completeRun,
  failRun,
  keepRun,
  LEASE_MS,
  readRun,
  type RunRow,
} from './reconciliation.repository.ts';

const LOOK_MS = 30_000;

/** Carries out the run if it is due and no other worker holds it. Returns true if it completed. */
export async function runIfDue(ctx: Context, signal?: AbortSignal): Promise<boolean> {
  const run = await claimRun(ctx.db);
  return run !== undefined && carryOut(ctx, run, signal);
}

async function carryOut(ctx: Context, run: RunRow, signal?: AbortSignal): Promise<boolean> {
  try {
    const looked = await whileBeating(
      {
        everyMs: LEASE_MS / 3,
        beat: () => keepRun(ctx.db, run),
        onError: (err) => ctx.logger.warn({ err }, 'the lease of the reconciliation was not extended'),
      },
      (lost) => compareBooks(ctx, signal ? AbortSignal.any([lost, signal]) : lost),
    );
    await completeRun(ctx.db, run, looked, ctx.config.BOOKS_COMPARED_EVERY_S);
    ctx.logger.info({ ...looked }, 'the books were compared with the card provider’s');
    return true;
  } catch (error) {
    ctx.logger.warn(
      { err: error },
      'the books could not be compared with the card provider’s; it is tried again',
    );
    await failRun(ctx.db, run);
    return false;
  }
}

export function startComparison(ctx: Context): Worker {
  gaugeOnScrape(
    {
      name: 'payment_exceptions_waiting',
      help: 'Exceptions that wait for an admin, by state',
      label: 'state',
    },
    async () => {
      const { open, proposed } = await waiting(ctx.db);
      return { open, proposed };
    },
  );
  gaugeOnScrape(
    { name: 'payment_exceptions_oldest_seconds', help: 'For how long the oldest exception has waited' },
    async () => ({ '': (await waiting(ctx.db)).oldestS }),
  );
  gaugeOnScrape(
    {
      name: 'books_compared_at_seconds',
      help: 'When the books were last compared with the card provider’s to the end, in seconds since 1970; 0: never',
    },
    async () => ({ '': ((await readRun(ctx.db)).last_complete_at?.getTime() ?? 0) / 1_000 }),
  );
  return startWorker({
    restMs: LOOK_MS,
    turn: (signal) => runIfDue(ctx, signal),
    onError: (err) => ctx.logger.warn({ err }, 'the reconciliation could not be looked for'),
  });
}
