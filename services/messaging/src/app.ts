import { blobConfigFromEnv, createBlobStore, registerFileRoutes, startJanitor } from '@karaar/storage/blobs';
import { createDirectory } from '@karaar/bus/directory';
import { startService } from '@karaar/service';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { isFileOfUser, namedAttachments } from './features/conversations/conversations.repository.ts';
import { conversationsRoutes } from './features/conversations/conversations.routes.ts';
import { liveConsumers } from './features/live/live.consumers.ts';
import { createPresence } from './features/live/live.presence.ts';
import { createLive, hearCommands } from './features/live/live.service.ts';
import { watchSessions } from './features/live/live.sessions.ts';
import { openSockets } from './features/live/live.sockets.ts';
import { personalDataConsumers } from './features/personal-data/personal-data.consumers.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { safetyConsumers } from './features/safety/safety.consumers.ts';
import { safetyRoutes } from './features/safety/safety.routes.ts';
import { sharedDocumentsConsumers } from './features/shared-documents/shared-documents.consumers.ts';
import { threadsRoutes } from './features/threads/threads.routes.ts';
import { startUnreadNotificationsWorker } from './features/unread-notifications/unread-notifications.worker.ts';
import { batchStatements } from './batched-statements.ts';

export async function createApp(config: Config) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    build: async (foundation, app) => {
      const { io, send, leave, close: closeSockets } = openSockets(app, config.REDIS_URL, foundation);
      const ctx: Context = {
        ...foundation,
        config,
        directory: createDirectory(foundation.db, foundation.bus),
        blobs: createBlobStore(blobConfigFromEnv(config)),
        live: createLive(io, send),
        batched: batchStatements(foundation.db, {
          perHour: config.STRANGERS_PER_HOUR,
          perDay: config.STRANGERS_PER_DAY,
        }),
      };
      const presence = createPresence(foundation);
      hearCommands(io, { ...ctx, presence });
      const stopWatching = watchSessions(io, foundation);
      // Leaves part of the drain time for sockets that need a second attempt.
      app.onDraining(() => leave(Math.floor(config.DRAIN_WAIT_MS * 0.7)));
      // A server with open sockets would never finish closing.
      app.addHook('preClose', async () => {
        stopWatching();
        await presence.close();
        await closeSockets();
      });
      conversationsRoutes(app, ctx);
      threadsRoutes(app, ctx);
      safetyRoutes(app, ctx);
      registerFileRoutes(app, ctx.blobs, {
        sessionLives: ctx.verifier.sessionLives,
        authorize: ({ viewerId, path }) => isFileOfUser(ctx.db, path, viewerId),
      });
      await ctx.directory.follow();
      await liveConsumers(ctx);
      await sharedDocumentsConsumers(ctx);
      await safetyConsumers(ctx);
      await personalDataRpc(ctx);
      await personalDataConsumers(ctx);
      const unreadNotifications = startUnreadNotificationsWorker(ctx);
      const named = (paths: readonly string[]) => namedAttachments(ctx.db, paths);
      const janitor = startJanitor({ blobs: ctx.blobs, named, logger: ctx.logger }, config);
      return {
        close: async () => {
          await Promise.all([unreadNotifications.stop(), janitor?.stop()]);
        },
      };
    },
  });
}
