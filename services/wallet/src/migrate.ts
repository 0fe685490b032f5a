import { runMigrations } from '@karaar/platform/service';
import { keptTables } from './db/kept-tables.ts';
import { migrations } from './db/migrations/index.ts';

await runMigrations({ migrations, keptTables });
