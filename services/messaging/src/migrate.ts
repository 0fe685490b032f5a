import { runMigrations } from '@karaar/service';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';

await runMigrations({ migrations, appendOnlyTables });
