/** How much finalizing waits. */
import { gaugeOnScrape } from '@karaar/platform/telemetry';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Counts by the partial indexes of open work whenever the metrics are asked for. */
export function showQueues(db: Kysely<Database>): void {
  gaugeOnScrape(
    { name: 'documents_jobs_waiting', help: 'Jobs that are queued or under way', label: 'queue' },
    async () => {
      const { rows } = await sql<{ queue: string; waiting: number }>`
        SELECT 'finalization' AS queue, count(*)::int AS waiting FROM finalization_jobs
        WHERE state IN ('queued', 'running')`.execute(db);
      return Object.fromEntries(rows.map(({ queue, waiting }) => [queue, waiting]));
    },
  );
  gaugeOnScrape(
    { name: 'documents_oldest_job_seconds', help: 'Age of the oldest finalization that is not done' },
    async () => {
      const { rows } = await sql<{ age: number }>`
        SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM finalization_jobs
        WHERE state IN ('queued', 'running')`.execute(db);
      return { '': rows[0]?.age ?? 0 };
    },
  );
}
