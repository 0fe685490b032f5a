/** Stores the progress of a job and publishes it to the parties, without delaying or failing the job. */
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { FinalizationStep } from '@karaar/contracts/documents/http';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { involvedIn, saveProgress, type JobRow } from './finalization.repository.ts';
import { howFar, type HowFar } from './progress.ts';

export type ProgressReporter = {
  /** Returns immediately. Progress that is outdated before it is written is skipped. */
  report: (step: FinalizationStep, done?: number, total?: number) => void;
  settled: () => Promise<void>;
};

/** Returns the reporter of one attempt. It reports nothing after the attempt has lost the job. */
export function createProgressReporter(ctx: Context, job: JobRow): ProgressReporter {
  let next: HowFar | undefined;
  let writing: Promise<void> | undefined;

  async function write(progress: HowFar): Promise<void> {
    await inTransaction(ctx.db, async (tx) => {
      const no = await saveProgress(tx, job, progress);
      if (no === undefined) return;
      await ctx.outbox.add(tx, documentsEvents.finalizationProgressed, {
        aggregateId: job.document_id,
        aggregateVersion: no,
        data: {
          document_id: job.document_id,
          involved_users: await involvedIn(tx, job.document_id),
          progress: { ...progress, no },
        },
      });
    });
    ctx.outbox.wake();
  }

  async function drain(): Promise<void> {
    while (next) {
      const progress = next;
      next = undefined;
      await write(progress).catch((err: unknown) =>
        ctx.logger.warn({ err, documentId: job.document_id }, 'finalization progress not kept'),
      );
    }
    writing = undefined;
  }

  return {
    report: (step, done, total) => {
      next = howFar(step, done, total);
      writing ??= drain();
    },
    settled: async () => writing,
  };
}
