import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Migrates a service's database with a later release if `TEST_MIGRATED_BY` names its clone: the service under
 * test then finds the tables as after a deployment or a rollback.
 * @param ownerUrl an empty database, as its owner
 * @throws Error if those migrations fail
 */
export async function migrateAsLater(service: string, ownerUrl: string): Promise<void> {
  const clone = process.env['TEST_MIGRATED_BY'];
  // vision has no database.
  if (clone === undefined || service === 'vision') return;
  await promisify(execFile)(process.execPath, [join(clone, 'services', service, 'src/migrate.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_NO_WARNINGS: '1',
      MIGRATION_DATABASE_URL: ownerUrl,
      SERVICE_NAME: service,
      LOG_LEVEL: 'error',
    },
  });
}
