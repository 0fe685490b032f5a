/** Finalization jobs: one row per document, leased by the worker that runs it. */
import type { LawWords } from '@karaar/contracts/cms/law';
import type { Tx } from '@karaar/db';
import { uuidv7 } from '@karaar/db';
import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql, type Selectable } from 'kysely';
import type {
  AttachmentsTable,
  Database,
  Db,
  FinalizationJobsTable,
  FinalPageCounts,
} from '../../db/schema.ts';
import type { HowFar } from './progress.ts';

export type JobRow = Selectable<FinalizationJobsTable>;
export type NewAttachment = Omit<Selectable<AttachmentsTable>, 'id' | 'document_id' | 'created_at'>;

export async function queueJob(
  tx: Tx<Database>,
  documentId: string,
  requested: { by: string; law: LawWords },
): Promise<void> {
  const fresh = {
    state: 'queued',
    attempts: 0,
    lease_until: null,
    detail: null,
    progress: null,
    fault_code: null,
    fault_file: null,
    requested_by: requested.by,
    law: JSON.stringify(requested.law),
  } as const;
  await tx
    .insertInto('finalization_jobs')
    .values({ document_id: documentId, ...fresh })
    .onConflict((conflict) =>
      conflict.column('document_id').doUpdateSet({ ...fresh, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/**
 * Leases the oldest job without a live worker. Each claim gets a higher fence number, by which an old worker
 * notices that it lost the job; the number of attempts restarts with a new request.
 */
export async function claimJob(db: Db, leaseMs: number): Promise<JobRow | undefined> {
  const [job] = await claimDue<JobRow>(db, {
    table: 'finalization_jobs',
    key: 'document_id',
    due: sql`state = 'queued' AND ${isFree('lease_until')} OR state = 'running' AND lease_until < now()`,
    order: sql`created_at`,
    limit: 1,
    take: sql`
      state = 'running', attempts = attempts + 1, fence = fence + 1, updated_at = now(), lease_until = ${inMs(leaseMs)}`,
  });
  return job;
}

/** Extends the lease of a running job. Returns false if another worker has taken it. */
export async function extendLease(db: Db, job: JobRow, leaseMs: number): Promise<boolean> {
  const result = await db
    .updateTable('finalization_jobs')
    .set({ lease_until: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'` })
    .where('document_id', '=', job.document_id)
    .where('state', '=', 'running')
    .where('fence', '=', job.fence)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Stores the progress of a running job. Returns its number, or undefined if the job was lost. */
export async function saveProgress(
  tx: Tx<Database>,
  job: JobRow,
  progress: HowFar,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('finalization_jobs')
    .set({ progress: JSON.stringify(progress), progress_no: sql<number>`progress_no + 1` })
    .where('document_id', '=', job.document_id)
    .where('state', '=', 'running')
    .where('fence', '=', job.fence)
    .returning('progress_no')
    .executeTakeFirst();
  return row?.progress_no;
}

/** Returns the involved parties, who cannot change during finalization. */
export async function involvedIn(db: Db, documentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('parties')
    .select('user_id')
    .where('document_id', '=', documentId)
    .where('state', '<>', 'requested')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Ends an attempt. Returns false if another worker has taken the job. */
export async function endAttempt(
  db: Db,
  job: JobRow,
  end: {
    state: 'done' | 'failed' | 'queued';
    detail: string | null;
    fault?: { code: string; file: string | null };
    retryInMs?: number;
  },
): Promise<boolean> {
  const retryIn = end.retryInMs ?? 0;
  const result = await db
    .updateTable('finalization_jobs')
    .set({
      state: end.state,
      detail: end.detail,
      progress: null,
      fault_code: end.fault?.code ?? null,
      fault_file: end.fault?.file ?? null,
      updated_at: sql<Date>`now()`,
      lease_until: end.state === 'queued' ? sql<Date>`now() + ${retryIn} * interval '1 millisecond'` : null,
    })
    .where('document_id', '=', job.document_id)
    .where('state', '=', 'running')
    .where('fence', '=', job.fence)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function findJob(db: Db, documentId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('finalization_jobs')
    .selectAll()
    .where('document_id', '=', documentId)
    .executeTakeFirst();
}

/** Returns the state of each document's job, in the order of the documents. */
export async function jobStates(
  db: Db,
  documentIds: readonly string[],
): Promise<(JobRow['state'] | undefined)[]> {
  const rows = await db
    .selectFrom('finalization_jobs')
    .select(['document_id', 'state'])
    .where('document_id', 'in', documentIds)
    .execute();
  const states = new Map(rows.map(({ document_id, state }) => [document_id, state]));
  return documentIds.map((id) => states.get(id));
}

export async function isLogged(db: Db, documentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('blockchain')
    .where('id', '=', documentId)
    .executeTakeFirst();
  return row?.blockchain === true;
}

/** Replaces the attachments of the sealed PDF. Returns the paths of the earlier ones. */
export async function replaceAttachments(
  tx: Tx<Database>,
  documentId: string,
  attachments: readonly NewAttachment[],
): Promise<string[]> {
  const before = await tx
    .deleteFrom('attachments')
    .where('document_id', '=', documentId)
    .returning('path')
    .execute();
  if (attachments.length > 0) {
    const rows = attachments.map((each) => ({ id: uuidv7(), document_id: documentId, ...each }));
    await tx.insertInto('attachments').values(rows).execute();
  }
  return before.map(({ path }) => path);
}

export async function attachedHashes(db: Db, documentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('attachments')
    .select('sha256')
    .where('document_id', '=', documentId)
    .execute();
  return rows.map(({ sha256 }) => sha256);
}

export async function storeFinalPdf(
  tx: Tx<Database>,
  documentId: string,
  final: { path: string; sha256: string; pages: FinalPageCounts },
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({
      final_path: final.path,
      final_sha256: final.sha256,
      final_pages: JSON.stringify(final.pages),
      finalized_at: sql<Date>`now()`,
    })
    .where('id', '=', documentId)
    .execute();
}
