/** Proves the ledger periodically while the service runs, in one replica at a time, for the alarm. */
import { createDb } from '@karaar/db';
import type { Logger } from '@karaar/observability/logging';
import { gaugeOnScrape } from '@karaar/observability/telemetry';
import { startWorker, whileBeating } from '@karaar/base/worker';
import type { Database, Db } from '../../db/schema.ts';
import { checkLedger, proveOn, type LedgerFault } from './ledger-check.ts';
import {
  claimProof,
  completeProof,
  failProof,
  keepProof,
  LEASE_MS,
  noteWhole,
  readProof,
  wholeIsOlderThan,
  type ProofRow,
} from './ledger-proofs.repository.ts';

const STATEMENT_MS = 30 * 60_000;
const LOOK_MS = 30_000;
const DAY_S = 24 * 60 * 60;
/** The nightly job proves every row; without one, this worker does so after this time. */
const WHOLE_AFTER_S = 26 * 60 * 60;

export type WatchOptions = {
  db: Db;
  /** The connection that reads the ledger; no request waits for it. */
  reader: Db;
  everyS: number;
  logger: Pick<Logger, 'error' | 'warn' | 'info'>;
};

/** Proves the ledger if that is due and no other replica does. Returns true if the proof completed. */
export async function proveIfDue(options: WatchOptions): Promise<boolean> {
  const proof = await claimProof(options.db);
  return proof !== undefined && carryOut(options, proof);
}

async function carryOut(options: WatchOptions, proof: ProofRow): Promise<boolean> {
  const { db, everyS, logger } = options;
  try {
    const faults = await whileBeating(
      {
        everyMs: LEASE_MS / 3,
        beat: () => keepProof(db, proof),
        onError: (err) => logger.warn({ err }, 'the lease of the proof of the ledger was not extended'),
      },
      () => prove(options),
    );
    await completeProof(db, proof, { faults: faults.length, everyS });
    if (faults.length > 0) complain(logger, faults);
    return true;
  } catch (err) {
    logger.warn({ err }, 'the ledger could not be checked');
    await failProof(db, proof);
    return false;
  }
}

/** Returns the faults of the running proof; faults of a proof of all rows are stored separately. */
async function prove({ db, reader, everyS, logger }: WatchOptions): Promise<LedgerFault[]> {
  if (await wholeIsOlderThan(db, WHOLE_AFTER_S)) {
    const { faults } = await checkLedger(reader);
    await noteWhole(db, faults.length);
    if (faults.length > 0) complain(logger, faults);
  }
  const { faults, closed } = await proveOn(reader, Math.min(1, everyS / DAY_S));
  if (closed.length > 0) logger.info({ closed }, 'months of the ledger were closed');
  return faults;
}

const complain = (logger: WatchOptions['logger'], faults: readonly LedgerFault[]): void =>
  logger.error({ faults: faults.slice(0, 20) }, 'the ledger does not add up');

/**
 * Checks every half minute whether a proof is due; never if `everyS` is 0.
 * @returns a function that stops it
 */
export function startLedgerWatch(
  options: { url: string } & Omit<WatchOptions, 'reader'>,
): () => Promise<void> {
  showProofs(options.db);
  if (options.everyS === 0) return async () => undefined;
  const reader = createDb<Database>({
    url: options.url,
    max: 1,
    applicationName: 'wallet-ledger-watch',
    statementTimeoutMs: STATEMENT_MS,
  });
  const worker = startWorker({
    restMs: LOOK_MS,
    turn: async () => void (await proveIfDue({ ...options, reader })),
    onError: (err) => options.logger.warn({ err }, 'the proof of the ledger could not be looked for'),
  });
  return async () => {
    await worker.stop();
    await reader.destroy();
  };
}

function showProofs(db: Db): void {
  gaugeOnScrape(
    {
      name: 'ledger_faults',
      help: 'Faults that the last proof of the ledger found: the running one, and the one of all rows',
      label: 'proof',
    },
    async () => {
      const { faults, whole_faults: whole } = await readProof(db);
      return { running: faults, whole };
    },
  );
  gaugeOnScrape(
    {
      name: 'ledger_checked_at_seconds',
      help: 'When the ledger was last proved to the end, in seconds since 1970; before the first time: when it was installed',
      label: 'proof',
    },
    async () => {
      const { checked_at: running, whole_at: whole } = await readProof(db);
      return { running: running.getTime() / 1_000, whole: whole.getTime() / 1_000 };
    },
  );
}
