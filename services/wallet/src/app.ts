/** The composition root of the wallet service. */
import { startService } from '@karaar/platform/service';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { ledgerRoutes } from './features/ledger/ledger.routes.ts';
import { ledgerRpc } from './features/ledger/ledger.rpc.ts';
import { createCardProvider } from './features/topup/card-provider.ts';
import { startReconciler } from './features/topup/reconciler.ts';
import { topUpRoutes } from './features/topup/topup.routes.ts';

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  return startService<Database>(config, {
    migrations,
    build: async (foundation, app) => {
      const ctx: Context = {
        ...foundation,
        config,
        provider: createCardProvider({
          keyId: config.RAZORPAY_KEY_ID,
          keySecret: config.RAZORPAY_KEY_SECRET,
          webhookSecrets: config.RAZORPAY_WEBHOOK_SECRETS,
          apiUrl: config.RAZORPAY_API_URL,
          timeoutMs: config.RAZORPAY_TIMEOUT_MS,
        }),
        ...overrides,
      };
      ledgerRoutes(app, ctx);
      topUpRoutes(app, ctx);
      await ledgerRpc(ctx);
      const reconciler = startReconciler(ctx);
      return { close: () => reconciler.stop() };
    },
  });
}
