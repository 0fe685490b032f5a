import { createHash, randomBytes } from 'node:crypto';
import { inTransaction, migrateToLatest, randomCode8, createDb, uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import type { Context } from '../../../context.ts';
import { migrations } from '../../../db/migrations/index.ts';
import type { Database, Db } from '../../../db/schema.ts';
import { queueCommitment } from '../log.repository.ts';

export const openDatabase = (url: string): Db =>
  createDb<Database>({ url, max: 4, applicationName: 'log-test' });

export async function prepare(url: string): Promise<Db> {
  const db = openDatabase(url);
  await migrateToLatest(db, migrations);
  return db;
}

/** Returns a context for the log's worker and policy. */
export const logContext = (db: Db, log: Omit<Context['log'], 'wake'>): Context =>
  ({
    db,
    log,
    logger: createLogger({ name: 'log-test', level: 'silent' }),
    outbox: { wake: () => undefined, add: async () => '' },
    config: { PUBLIC_URL: 'https://karaar.test' },
  }) as unknown as Context; // only the parts that they use

/** Inserts finalized documents without files, queued for the log as by finalization. */
export async function sealDocuments(db: Db, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await inTransaction(db, async (tx) => {
    for (const id of ids) {
      await tx
        .insertInto('documents')
        .values({
          id,
          document_code: randomCode8(),
          name: 'Sealed',
          page_details: '[]',
          status: 'finalized',
          primary_user: uuidv7(),
          daily_rate_paise: 100,
          version: 1,
          final_path: 'none',
        })
        .execute();
      await queueCommitment(tx, {
        documentId: id,
        sha256: createHash('sha256').update(id).digest('hex'),
        sealedAt: '2026-11-21T06:00:00.000Z',
        salt: randomBytes(32),
      });
    }
  });
  return ids;
}
