import { createDirectory } from '@karaar/bus/directory';
import { startService } from '@karaar/service';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { deliveriesRoutes } from './features/deliveries/deliveries.routes.ts';
import { createMailer } from './features/mail/mailer.ts';
import { contactMailsRpc } from './features/mail/contact-mails.rpc.ts';
import { showQueues } from './features/deliveries/queue-metrics.ts';
import { startMailWorker } from './features/mail/mail.worker.ts';
import { smsTemplates } from './features/sms/sms-texts.ts';
import { noteSmsReport, smsReports } from './features/sms/sms-status.service.ts';
import { startSmsWorker } from './features/sms/sms.worker.ts';
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
        sms: createSmsSender(smsOptionsFromEnv(config, smsTemplates), foundation.logger, {
          note: noteSmsReport(foundation),
        }),
      };
      const mailer = createMailer(config);
      const ctx: Context = {
        ...parts,
        senders: { wake: () => workers.forEach((worker) => worker.wake()) },
      };
      showQueues(ctx.db);
      const workers = [startMailWorker({ ...ctx, mailer }), startSmsWorker(ctx)];
      inboxRoutes(app, ctx);
      preferencesRoutes(app, ctx);
      deliveriesRoutes(app, ctx);
      smsReports.mount(app, config, noteSmsReport(ctx));
      await ctx.directory.follow();
      await notifyingConsumers(ctx);
      await contactMailsRpc({ ...ctx, mailer });
      await personalDataRpc(ctx);
      await personalDataConsumers(ctx);
      return {
        close: async () => {
          await Promise.all(workers.map((worker) => worker.stop()));
          mailer?.close();
          await parts.sms.close();
        },
      };
    },
  });
}
