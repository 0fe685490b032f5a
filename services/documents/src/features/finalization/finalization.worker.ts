/**
 * Runs finalization jobs: compose, seal, store, and only then `finalized`. When the lease of a dead worker
 * ends, another worker starts the job again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inTransaction } from '@karaar/db';
import { startWorker, type Worker } from '@karaar/base/worker';
import { SALT_BYTES } from '@karaar/proof/log/leaf';
import { type ComposedPdf, RenderError, SEAL_NOTES, type SealStatement } from '@karaar/rendering';
import { type SealedPdf, SealError, type SealErrorCode, type SealLevel } from '@karaar/sealing';
import type { Context } from '../../context.ts';
import { abandonFinalization, finalize } from '../agreements/rules/agreement.ts';
import { changeAgreement } from '../agreements/transition.ts';
import { queueCommitment } from '../transparency-log/log.repository.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import { gatherFinalInput } from './final-input.ts';
import { PermanentFailure } from './finalization.errors.ts';
import { createProgressReporter, type ProgressReporter } from './progress-reporter.ts';
import { claimJob, endAttempt, extendLease, storeFinalPdf, type JobRow } from './finalization.repository.ts';

/** Jobs at a time: one composes in the converter while another is sealed and stored. */
const AT_ONCE = 2;
const LEASE_MS = 15_000;
const IDLE_MS = 1_000;
const MAX_ATTEMPTS = 5;
const GAVE_UP = 'The final PDF could not be made. Please try again; if it fails again, contact support.';

export function startFinalizationWorker(ctx: Context): Worker {
  const workers = Array.from({ length: AT_ONCE }, () =>
    startWorker({
      restMs: IDLE_MS,
      turn: async () => {
        const job = await claimJob(ctx.db, LEASE_MS);
        if (job) await runJob(ctx, job);
        return job !== undefined;
      },
      onError: (err) => ctx.logger.warn({ err }, 'finalization jobs cannot be read'),
    }),
  );
  return {
    wake: () => workers.forEach((worker) => worker.wake()),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

async function runJob(ctx: Context, job: JobRow): Promise<void> {
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    extendLease(ctx.db, job, LEASE_MS).then(
      (kept) => kept || lost.abort(),
      (error: unknown) => ctx.logger.warn({ err: error }, 'finalization lease not extended'),
    );
  }, LEASE_MS / 3);
  try {
    await composeAndSeal(ctx, job, lost.signal);
  } catch (error) {
    if (!lost.signal.aborted) await recordFailure(ctx, job, error);
  } finally {
    clearInterval(heartbeat);
  }
}

async function composeAndSeal(ctx: Context, job: JobRow, signal: AbortSignal): Promise<void> {
  const progress = createProgressReporter(ctx, job);
  await mkdir(ctx.config.WORK_DIR, { recursive: true });
  const folder = await mkdtemp(join(ctx.config.WORK_DIR, 'final-'));
  try {
    progress.report('files');
    const { composed, sealed } = await makeFinalPdf(ctx, job, { folder, signal, progress });
    progress.report('storing');
    const blob = await ctx.blobs.put(job.document_id, sealed.pdf, { mime: 'application/pdf' });
    try {
      await finish(ctx, job, {
        path: blob.path,
        sealedAt: sealed.sealedAt,
        sha256: createHash('sha256').update(sealed.pdf).digest('hex'),
        pages: {
          agreement: composed.pages.agreement,
          raw: composed.pages.raw,
          signatures: composed.pages.signatures,
          certificate: composed.pages.certificate,
        },
      });
    } catch (error) {
      await takeBackFiles(ctx, error, [blob.path]);
      throw error;
    }
  } finally {
    await Promise.all([rm(folder, { recursive: true, force: true }), progress.settled()]);
  }
}

/**
 * If no timestamp or revocation server answers, the certificate page is composed again for the lower level,
 * so that the file never states a level that it does not have.
 */
async function makeFinalPdf(
  ctx: Context,
  { document_id: documentId, law }: JobRow,
  work: { folder: string; signal: AbortSignal; progress: ProgressReporter },
): Promise<{ composed: ComposedPdf; sealed: SealedPdf }> {
  const { folder, signal, progress } = work;
  const { sealer } = ctx;
  const attempt = async (level: SealLevel, note?: string) => {
    const { signer, certFingerprint, ownAuthority } = sealer.identity;
    const statement: SealStatement = {
      level,
      signer,
      certFingerprint,
      ownAuthority,
      ...(note ? { note } : {}),
    };
    const input = await gatherFinalInput(ctx, documentId, folder, { seal: statement, law });
    const composed = await ctx.renderer.composeFinalPdf(input, { signal, onProgress: progress.report });
    progress.report('sealing');
    return { composed, sealed: await sealer.seal(composed.pdf, { level }) };
  };
  let [level, note]: [SealLevel, string?] = [sealer.level];
  for (;;) {
    try {
      return await attempt(level, note);
    } catch (error) {
      const lower = error instanceof SealError ? LOWER[error.code] : undefined;
      if (!lower || level === lower.level) throw error;
      ctx.logger.warn({ err: error, documentId, level: lower.level }, 'sealed at a lower level');
      ({ level, note } = lower);
    }
  }
}

/** The seal level without a timestamp or revocation server, and its note on the certificate page. */
const LOWER: Partial<Record<SealErrorCode, { level: SealLevel; note: string }>> = {
  revocation_unavailable: {
    level: 'B-T',
    note: SEAL_NOTES.revocationUnknown,
  },
  tsa_unavailable: {
    level: 'B-B',
    note: SEAL_NOTES.noTimestamp,
  },
};

/** One transaction, so that a finalized document always has its file and its log commitment. */
async function finish(
  ctx: Context,
  job: JobRow,
  final: Parameters<typeof storeFinalPdf>[2] & { sealedAt: Date },
): Promise<void> {
  await changeAgreement(ctx, job.document_id, { actorId: job.requested_by }, async (change) => {
    const { tx } = change;
    const next = await change.decide(finalize);
    if (!(await endAttempt(tx, job, { state: 'done', detail: null }))) {
      throw new Error('Another worker has taken this finalization job.');
    }
    await storeFinalPdf(tx, job.document_id, final);
    await queueCommitment(tx, {
      documentId: job.document_id,
      sha256: final.sha256,
      sealedAt: final.sealedAt.toISOString(),
      salt: randomBytes(SALT_BYTES),
    });
    await change.save(next, { type: 'document.finalized', detail: 'Finalized and sealed' });
  });
  ctx.log.wake();
}

type Fault = { detail: string; code: string; file: string | null };

const faultOf = ({ message, code, file }: RenderError): Fault => ({
  detail: message,
  code,
  file: file ?? null,
});

/** Returns the failure if no further attempt can fix it. */
function permanentFault(error: unknown): Fault | undefined {
  if (error instanceof PermanentFailure) return { detail: error.message, code: error.code, file: null };
  return error instanceof RenderError && !error.retryable ? faultOf(error) : undefined;
}

/** After the last attempt, names the file at fault, such as a file that LibreOffice converts too slowly. */
const lastFault = (error: unknown): Fault =>
  error instanceof RenderError && error.file
    ? faultOf(error)
    : { detail: GAVE_UP, code: 'gave_up', file: null };

async function recordFailure(ctx: Context, job: JobRow, error: unknown): Promise<void> {
  const fault = permanentFault(error);
  ctx.logger.error({ err: error, documentId: job.document_id, attempt: job.attempts }, 'finalization failed');
  try {
    if (!fault && job.attempts < MAX_ATTEMPTS) {
      await inTransaction(ctx.db, (tx) =>
        endAttempt(tx, job, { state: 'queued', detail: null, retryInMs: 500 * 2 ** job.attempts }),
      );
      return;
    }
    const { detail, ...rest } = fault ?? lastFault(error);
    await changeAgreement(ctx, job.document_id, { actorId: null }, async (change) => {
      const next = await change.decide(abandonFinalization);
      await endAttempt(change.tx, job, { state: 'failed', detail, fault: rest });
      await change.save(next, { type: 'finalization.failed', detail: `Finalization failed: ${detail}` });
    });
  } catch (failure) {
    // The lease ends, and the job is tried again.
    ctx.logger.error({ err: failure, documentId: job.document_id }, 'finalization failure not recorded');
  }
}
