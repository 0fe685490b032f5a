import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@karaar/testing/backing/backing';
import { createDb, migrateToLatest } from '@karaar/platform/db-kit';
import { migrations } from '@karaar/service-wallet/db/migrations/index';
import type { Database, Db } from '@karaar/service-wallet/db/schema';

/** Hands over an empty ledger in a PostgreSQL of its own, and removes both. */
export async function withLedger<T>(max: number, use: (db: Db, url: string) => Promise<T>): Promise<T> {
  const stateDir = mkdtempSync(join(tmpdir(), 'karaar-bench-'));
  const backing = await startBacking({ stateDir, only: ['postgres'], env: {} });
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
    rmSync(stateDir, { recursive: true, force: true });
  }
}
