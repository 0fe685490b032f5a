import { createPrinter } from '@karaar/http/print';
import { startService } from '@karaar/service';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { exceptionRoutes } from './features/exception-review/exceptions.routes.ts';
import { batchDebits } from './features/ledger/batched-debits.ts';
import { startLedgerWatch } from './features/ledger/ledger-watch.ts';
import { debitsRoutes } from './features/ledger/debits.routes.ts';
import { ledgerRoutes } from './features/ledger/ledger.routes.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { startComparison } from './features/reconciliation/worker.ts';
import { refundsRoutes } from './features/refunds/refunds.routes.ts';
import { restsRoutes } from './features/rests/rests.routes.ts';
import { createCardProvider, providerOptions } from './features/provider/card-provider.ts';
import { startReconciler } from './features/provider-updates/reconciler.ts';
import { webhookRoutes } from './features/provider-updates/webhook.routes.ts';
import { topUpRoutes } from './features/topup/topup.routes.ts';

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    callers: { payments: config.PAYMENTS_TO_WALLET_SECRETS },
    build: async (foundation, app) => {
      const ctx: Context = {
        ...foundation,
        config,
        provider: createCardProvider(providerOptions(config)),
        print: createPrinter(config.DOCUMENTS_INTERNAL_URL, config.WALLET_TO_DOCUMENTS_SECRETS),
        debit: batchDebits(foundation.db),
        ...overrides,
      };
      ledgerRoutes(app, ctx);
      topUpRoutes(app, ctx);
      webhookRoutes(app, ctx);
      refundsRoutes(app, ctx);
      restsRoutes(app, ctx);
      debitsRoutes(app.inner, ctx);
      await personalDataRpc(ctx);
      const stopLedgerWatch = startLedgerWatch({
        url: config.DATABASE_URL,
        db: ctx.db,
        everyS: config.LEDGER_CHECK_EVERY_S,
        logger: ctx.logger,
      });
      const reconciler = startReconciler(ctx);
      const comparison = startComparison(ctx);
      exceptionRoutes(app, ctx, comparison.wake);
      return {
        close: async () => {
          await Promise.all([reconciler.stop(), comparison.stop(), stopLedgerWatch()]);
        },
      };
    },
  });
}
