import { startService } from '@karaar/service';
import type { Config } from './config.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { editingRoutes } from './features/editing/editing.routes.ts';
import { pagesRoutes } from './features/pages/pages.routes.ts';
import { pagesRpc } from './features/pages/pages.rpc.ts';
import { seedPages } from './features/pages/pages.service.ts';

export async function createApp(config: Config) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    build: async (ctx, app) => {
      pagesRoutes(app, ctx);
      editingRoutes(app, ctx);
      await seedPages(ctx);
      await pagesRpc(ctx);
      return {};
    },
  });
}
