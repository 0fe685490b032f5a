import { blobConfigFromEnv, createBlobStore, registerFileRoutes, startJanitor } from '@karaar/storage/blobs';
import { startService, type Foundation } from '@karaar/service';
import { startFolding } from '@karaar/db/counters';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { isOwnImage, namedIdImages, phoneOwner } from './features/accounts/accounts.repository.ts';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { phoneRoutes } from './features/accounts/phone.routes.ts';
import { accountsRpc } from './features/accounts/accounts.rpc.ts';
import { keyTextsConsumers } from './features/accounts/key-texts.consumers.ts';
import { createSecretBox } from './secret-box.ts';
import { auditConsumers } from './features/admins/audit/audit.consumers.ts';
import { adminsRoutes } from './features/admins/admins.routes.ts';
import { adminsRpc } from './features/admins/admins.rpc.ts';
import { ensureFirstAdmin } from './features/admins/first-admin.ts';
import { deadLettersRoutes } from './features/admins/dead-letters/dead-letters.routes.ts';
import { adminListsRoutes } from './features/admins/lists.routes.ts';
import { directoryConsumers } from './features/directory/directory.consumers.ts';
import { directoryRoutes } from './features/directory/directory.routes.ts';
import { emailProofRoutes } from './features/email-proof/email-proof.routes.ts';
import { invitationsRoutes, invitationsRpc } from './features/invitations/invitations.routes.ts';
import { createLimits } from './features/limits/all-limits.ts';
import { createOtpStore } from './features/otp/otp.store.ts';
import { TEXT_TEMPLATES } from './features/otp/texts.ts';
import { passkeysRoutes } from './features/admins/passkeys/passkeys.routes.ts';
import { sessionsRoutes } from './features/sessions/sessions.routes.ts';
import { sessionsRpc } from './features/sessions/sessions.rpc.ts';
import { repeatRevocations } from './features/sessions/sessions.service.ts';
import { signInRoutes } from './features/sign-in/sign-in.routes.ts';
import { createTokenKeys } from './features/sessions/token-keys.ts';
import { startHousekeeping } from './housekeeping.ts';
import { secretsOf } from './secrets.ts';
import { seedDemo } from './seed-demo.ts';

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    build: async (foundation, app) => {
      const ctx: Context = { ...(await createContext(config, foundation)), ...overrides };
      accountsRoutes(app, ctx);
      phoneRoutes(app, ctx);
      directoryRoutes(app, ctx);
      signInRoutes(app, ctx);
      sessionsRoutes(app, ctx);
      invitationsRoutes(app, ctx);
      emailProofRoutes(app, ctx);
      adminsRoutes(app, ctx);
      passkeysRoutes(app, ctx);
      adminListsRoutes(app, ctx);
      deadLettersRoutes(app, ctx);
      registerFileRoutes(app, ctx.blobs, {
        sessionLives: ctx.verifier.sessionLives,
        authorize: ({ viewerId, path }) => isOwnImage(ctx.db, viewerId, path),
      });
      ctx.redis.on('ready', () => {
        repeatRevocations(ctx).catch((error: unknown) =>
          ctx.logger.error({ err: error }, 'ended sessions could not be repeated to Redis'),
        );
      });
      await accountsRpc(ctx);
      await sessionsRpc(ctx);
      await invitationsRpc(ctx);
      await adminsRpc(ctx);
      await directoryConsumers(ctx);
      await auditConsumers(ctx);
      await keyTextsConsumers(ctx);
      await ensureFirstAdmin(ctx);
      if (config.SEED_DEMO) await seedDemo(ctx);
      const housekeeping = startHousekeeping(ctx);
      const named = (paths: readonly string[]) => namedIdImages(ctx.db, paths);
      const janitor = startJanitor({ blobs: ctx.blobs, named, logger: ctx.logger }, config);
      const folding = startFolding(ctx, ['users']);
      return {
        close: async () => {
          await Promise.all([housekeeping.stop(), folding.stop(), janitor?.stop()]);
          await ctx.sms.close();
        },
      };
    },
  });
}

async function createContext(config: Config, foundation: Foundation<Database>): Promise<Context> {
  const { db, logger } = foundation;
  const { pepper, idNumberKey, signingKeyKey } = secretsOf(config);
  return {
    ...foundation,
    config,
    pepper,
    blobs: createBlobStore(blobConfigFromEnv(config)),
    secrets: createSecretBox(idNumberKey),
    tokenKeys: await createTokenKeys(db, createSecretBox(signingKeyKey), config.TOKEN_SIGNING_KEY),
    otp: createOtpStore(db, pepper, {
      ipPerHour: config.OTP_IP_PER_HOUR,
      totalPerHour: config.OTP_TOTAL_PER_HOUR,
    }),
    sms: createSmsSender(smsOptionsFromEnv(config, TEXT_TEMPLATES), logger),
    phoneOwner: (phone) => phoneOwner(db, phone),
    ...createLimits(db, pepper, config),
  };
}
