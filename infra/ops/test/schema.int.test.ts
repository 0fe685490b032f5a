/**
 * What the migrations make of an empty database is what `services/<service>/src/db/schema.txt` says. A migration that
 * is new changes that text: `WRITE_SCHEMAS=1 npm test -- schema` in this folder writes it, and the diff shows what
 * the migration does. A change of the schema without a new migration would leave old databases another schema than
 * new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDb, migrateToLatest } from '@karaar/platform/db-kit';
import { testPostgres } from '@karaar/testing/harness';
import { schemaText } from '@karaar/testing/schema-text';
import { serviceMigrations } from '../src/databases.ts';

const fileOf = (service: string): string =>
  fileURLToPath(new URL(`../../../services/${service}/src/db/schema.txt`, import.meta.url));

it.each(Object.entries(serviceMigrations))(
  '%s has the schema that is written down',
  async (service, migrations) => {
    const database = await testPostgres(`schema-${service}`);
    const db = createDb<unknown>({ url: database.url, max: 1, applicationName: 'schema-test' });
    try {
      await migrateToLatest(db, migrations);
      const text = await schemaText(db);
      if (process.env['WRITE_SCHEMAS']) writeFileSync(fileOf(service), text);
      expect(text).toBe(readFileSync(fileOf(service), 'utf8'));
    } finally {
      await db.destroy();
      await database.drop();
    }
  },
);
