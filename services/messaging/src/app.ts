/** The composition root of the messaging service. */
import { createDirectory } from '@karaar/platform/directory';
import { startService } from '@karaar/platform/service';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { conversationsRoutes } from './features/conversations/conversations.routes.ts';

export async function createApp(config: Config) {
  return startService<Database>(config, {
    migrations,
    build: async (foundation, app) => {
      const ctx: Context = { ...foundation, directory: createDirectory(foundation.db, foundation.bus) };
      conversationsRoutes(app, ctx);
      await ctx.directory.follow();
      return {};
    },
  });
}
