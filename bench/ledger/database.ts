import { startBacking } from '@karaar/testing/backing/backing';
import { scratch } from '@karaar/testing/scratch';
import { createDb, migrateToLatest } from '@karaar/db';
import { migrations } from '@karaar/service-wallet/db/migrations/index';
import type { Database, Db } from '@karaar/service-wallet/db/schema';

/** Creates an empty ledger in its own PostgreSQL, and removes both after `use`. */
export async function withLedger<T>(max: number, use: (db: Db, url: string) => Promise<T>): Promise<T> {
  const backing = await startBacking({ stateDir: scratch().dir, only: ['postgres'], env: {} });
  const db = createDb<Database>({
    ...{ url: backing.postgresUrl, max },
    ...{ applicationName: 'bench-ledger', statementTimeoutMs: 600_000 },
  });
  try {
    await migrateToLatest(db, migrations);
    return await use(db, backing.postgresUrl);
  } finally {
    await db.destroy();
    await backing.stop({ remove: true });
  }
}
