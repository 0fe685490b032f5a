import { createDirectory } from '@karaar/bus/directory';
import { startService } from '@karaar/service';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import { hasWhatsapp, type Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { deliveriesRoutes } from './features/deliveries/deliveries.routes.ts';
import { createMailer } from './features/mail/mailer.ts';
import { contactMailsRpc } from './features/mail/contact-mails.rpc.ts';
import { showQueues } from './features/deliveries/queue-metrics.ts';
import { startDeliveryWorker } from './features/deliveries/delivery.worker.ts';
import { mailChannel } from './features/mail/mail.channel.ts';
import { smsTemplates } from './features/sms/sms-texts.ts';
import { noteSmsReport, smsReports } from './features/sms/sms-status.service.ts';
import { createWhatsappClient } from './features/whatsapp/whatsapp-client.ts';
import { whatsappChannel } from './features/whatsapp/whatsapp.channel.ts';
import { whatsappStatusRoutes } from './features/whatsapp/whatsapp-status.routes.ts';
import { smsChannel } from './features/sms/sms.channel.ts';
import { startRetentionWorker } from './features/inbox/retention.worker.ts';
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
      const whatsapp = hasWhatsapp(config) ? createWhatsappClient(config) : undefined;
      const channels = [
        ...(mailer ? [mailChannel({ ...ctx, mailer })] : []),
        smsChannel(ctx),
        ...(whatsapp ? [whatsappChannel(ctx, whatsapp)] : []),
      ];
      showQueues(
        ctx.db,
        channels.map(({ name }) => name),
      );
      const workers = channels.map((channel) => startDeliveryWorker(ctx, channel));
      const retention = startRetentionWorker(ctx);
      inboxRoutes(app, ctx);
      preferencesRoutes(app, ctx);
      deliveriesRoutes(app, ctx);
      smsReports.mount(app, config, noteSmsReport(ctx));
      whatsappStatusRoutes(app, ctx);
      await ctx.directory.follow();
      await notifyingConsumers(ctx);
      await contactMailsRpc({ ...ctx, mailer });
      await personalDataRpc(ctx);
      await personalDataConsumers(ctx);
      return {
        close: async () => {
          await Promise.all([...workers, retention].map((worker) => worker.stop()));
          mailer?.close();
          await parts.sms.close();
          await whatsapp?.close();
        },
      };
    },
  });
}
