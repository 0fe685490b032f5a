import { LAW } from '@karaar/contracts/cms/law';
import { inTransaction } from '@karaar/db';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { prepare, sealDocuments } from '../transparency-log/testing/log-database.ts';
import { claimJob, endAttempt, extendLease, queueJob } from './finalization.repository.ts';
import { createJobLook } from './job-look.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testPostgres('finalization-jobs');
  db = await prepare(database.url);
}, 60_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('does not let a worker continue its old claim of a job that was requested again', async () => {
  const [id = ''] = await sealDocuments(db, 1);
  const queue = () => inTransaction(db, (tx) => queueJob(tx, id, { by: id, law: LAW }));
  await queue();
  const old = await claimJob(db, 1_000);
  // The worker sleeps beyond its lease; another worker gives up, and the job is requested again.
  await sql`UPDATE finalization_jobs SET lease_until = now() - interval '1 second'`.execute(db);
  const next = await claimJob(db, 1_000);
  if (!old || !next) throw new Error('expected two claims of the job');
  expect(await endAttempt(db, next, { state: 'failed', detail: 'no' })).toBe(true);
  await queue();
  const fresh = await claimJob(db, 1_000);
  if (!fresh) throw new Error('expected another claim of the job');
  expect(fresh.attempts).toBe(old.attempts);
  expect(await extendLease(db, old, 1_000)).toBe(false);
  expect(await endAttempt(db, old, { state: 'done', detail: null })).toBe(false);
  expect(await extendLease(db, fresh, 1_000)).toBe(true);
});

it('reads the jobs of all waiting requests with one query, and answers each for its own document', async () => {
  const [queued = '', without = ''] = await sealDocuments(db, 2);
  await inTransaction(db, (tx) => queueJob(tx, queued, { by: queued, law: LAW }));
  let queries = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => ((queries += 1), node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const look = createJobLook(counted);
  expect(await Promise.all([queued, without, queued].map(look))).toEqual(['queued', undefined, 'queued']);
  expect(queries).toBe(1);
});
