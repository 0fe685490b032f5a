import { gaugeOnScrape } from '@karaar/observability/telemetry';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

type Waiting = { queue: string; waiting: number; age: number };

/** Runs on each scrape, on the partial indexes of open work. Messages that are due later do not count. */
async function readQueues(db: Db): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    SELECT 'finalization' AS queue, count(*)::int AS waiting,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
    FROM finalization_jobs WHERE state IN ('queued', 'running')
    UNION ALL
    SELECT 'text_messages', count(*)::int, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8
    FROM text_messages WHERE state IN ('queued', 'sending') AND due_at <= now()`.execute(db);
  return rows;
}

export function showQueues(db: Db): void {
  const byQueue = (pick: (row: Waiting) => number) => async () =>
    Object.fromEntries((await readQueues(db)).map((row) => [row.queue, pick(row)]));
  gaugeOnScrape(
    { name: 'documents_jobs_waiting', help: 'Jobs that are queued or under way', label: 'queue' },
    byQueue(({ waiting }) => waiting),
  );
  gaugeOnScrape(
    { name: 'documents_oldest_job_seconds', help: 'Age of the oldest job that is not done', label: 'queue' },
    byQueue(({ age }) => age),
  );
}
