/** Keeps how far a job is and tells it to the parties. A job never waits for it, and never fails by it. */
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { FinalizationStep } from '@karaar/contracts/documents/http';
import { inTransaction } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import { involvedIn, saveProgress, type JobRow } from './finalization.repository.ts';
import { howFar, type HowFar } from './progress.ts';

export type ProgressReporter = {
  /** Answers at once. What is overtaken before it could be written is left out. */
  tell: (step: FinalizationStep, done?: number, total?: number) => void;
  /** Resolves when nothing is being written any more. */
  settled: () => Promise<void>;
};

/** For one attempt of a job; says nothing any more once the job is another worker's or has ended. */
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
    ctx.outbox.poke();
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
    tell: (step, done, total) => {
      next = howFar(step, done, total);
      writing ??= drain();
    },
    settled: async () => writing,
  };
}
