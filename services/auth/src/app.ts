/** The composition root of the auth service. */
import { hkdfSync } from 'node:crypto';
import { blobConfigFromEnv, createBlobStore, registerFileRoutes } from '@karaar/platform/blobs';
import { startService } from '@karaar/platform/service';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/platform/sms';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { findByPhone } from './features/accounts/accounts.repository.ts';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { accountsRpc } from './features/accounts/accounts.rpc.ts';
import { createRateLimit } from './features/accounts/rate-limit.ts';
import { createSecretBox } from './features/accounts/secret-box.ts';
import { createOtpStore } from './features/otp/otp.store.ts';
import { TEXT_TEMPLATES } from './features/otp/texts.ts';
import { sessionsRoutes } from './features/sessions/sessions.routes.ts';
import { sessionsRpc } from './features/sessions/sessions.rpc.ts';
import { repeatRevocations } from './features/sessions/sessions.service.ts';
import { createTokenKeys } from './features/sessions/token-keys.ts';
import { seedDemo } from './seed-demo.ts';

const HOUR_MS = 3_600_000;

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  const tokenKeys = await createTokenKeys(config.TOKEN_SIGNING_KEY);
  const derived = (purpose: string) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(config.AUTH_SECRET, 'base64'), '', `karaar auth ${purpose}`, 32),
    );
  return startService<Database>(config, {
    migrations,
    build: async (foundation, app) => {
      const { db, redis } = foundation;
      const sms = createSmsSender(smsOptionsFromEnv(config, TEXT_TEMPLATES), foundation.logger);
      const ctx: Context = {
        ...foundation,
        config,
        tokenKeys,
        blobs: createBlobStore(blobConfigFromEnv(config)),
        idNumbers: createSecretBox(derived('id numbers')),
        otpPepper: derived('one-time codes'),
        otp: createOtpStore(redis, {
          ipPerHour: config.OTP_IP_PER_HOUR,
          totalPerHour: config.OTP_TOTAL_PER_HOUR,
        }),
        sms,
        findUserByPhone: (phone) => findByPhone(db, phone),
        registrations: createRateLimit(redis, {
          name: 'register',
          max: config.REGISTER_IP_PER_HOUR,
          windowMs: HOUR_MS,
          text: 'Too many registrations from your network. Please try again later.',
        }),
        ...overrides,
      };
      accountsRoutes(app, ctx);
      sessionsRoutes(app, ctx);
      registerFileRoutes(app, ctx.blobs);
      redis.on('ready', () => {
        repeatRevocations(ctx).catch((error: unknown) =>
          foundation.logger.error({ err: error }, 'ended sessions could not be repeated to Redis'),
        );
      });
      await accountsRpc(ctx);
      await sessionsRpc(ctx);
      if (config.SEED_DEMO) await seedDemo(ctx);
      return { close: () => sms.close() };
    },
  });
}
