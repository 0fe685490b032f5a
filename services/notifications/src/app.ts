import { createDirectory } from '@karaar/bus/directory';
import { startService } from '@karaar/service';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { deliveriesRoutes } from './features/mail/deliveries.routes.ts';
import { createMailer } from './features/mail/mailer.ts';
import { contactMailsRpc } from './features/mail/contact-mails.rpc.ts';
import { showMailQueue } from './features/mail/mail-queue.ts';
import { startMailWorker } from './features/mail/mail.worker.ts';
import { inboxRoutes } from './features/inbox/inbox.routes.ts';
import { personalDataConsumers } from './features/personal-data/personal-data.consumers.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { preferencesRoutes } from './features/preferences/preferences.routes.ts';
import { notifyingConsumers } from './features/notifying/notifying.consumers.ts';

export async function createApp(config: Config) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    build: async (foundation, app) => {
      const parts = {
        ...foundation,
        config,
        directory: createDirectory(foundation.db, foundation.bus),
      };
      const mailer = createMailer(config);
      const ctx: Context = { ...parts, mail: { wake: () => worker.wake() } };
      showMailQueue(ctx.db);
      const worker = startMailWorker({ ...ctx, mailer });
      inboxRoutes(app, ctx);
      preferencesRoutes(app, ctx);
      deliveriesRoutes(app, ctx);
      await ctx.directory.follow();
      await notifyingConsumers(ctx);
      await contactMailsRpc({ ...ctx, mailer });
      await personalDataRpc(ctx);
      await personalDataConsumers(ctx);
      return {
        close: async () => {
          await worker.stop();
          mailer?.close();
        },
      };
    },
  });
}
