import { createDirectory } from '@karaar/bus/directory';
import type { Logger } from '@karaar/observability/logging';
import { createPrinter } from '@karaar/http/print';
import { createInternalRpcClient } from '@karaar/service/internal-rpc';
import { startService } from '@karaar/service';
import { startFolding } from '@karaar/db/counters';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { adminRoutes } from './features/admin/admin.routes.ts';
import { cardsConsumers } from './features/admin/cards.consumers.ts';
import { batchSteps } from './features/charges/batched-steps.ts';
import { chargesConsumers } from './features/charges/charges.consumers.ts';
import { chargesRpc } from './features/charges/charges.rpc.ts';
import { chargesRoutes } from './features/charges/charges.routes.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { reversalsRoutes } from './features/reversals/reversals.routes.ts';
import { startReversalSweeper } from './features/reversals/sweeper.ts';
import { startSweeper } from './features/charges/sweeper.ts';
import { receiptsRoutes } from './features/receipts/receipts.routes.ts';

/** Returns the clients for the internal ports of documents and wallet. */
export const neighbours = (
  config: Config,
  logger: Logger,
): Pick<Context, 'askDocuments' | 'askWallet' | 'print'> => ({
  askDocuments: createInternalRpcClient(
    config.DOCUMENTS_INTERNAL_URL,
    config.PAYMENTS_TO_DOCUMENTS_SECRETS,
    logger,
  ),
  askWallet: createInternalRpcClient(config.WALLET_INTERNAL_URL, config.PAYMENTS_TO_WALLET_SECRETS, logger),
  print: createPrinter(config.DOCUMENTS_INTERNAL_URL, config.PAYMENTS_TO_DOCUMENTS_SECRETS),
});

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    build: async (foundation, app) => {
      const ctx: Context = {
        ...foundation,
        config,
        ...neighbours(config, foundation.logger),
        steps: batchSteps(foundation.db),
        ...overrides,
      };
      chargesRoutes(app, ctx);
      receiptsRoutes(app, ctx);
      adminRoutes(app, ctx);
      reversalsRoutes(app, ctx);
      await createDirectory(foundation.db, foundation.bus).follow();
      await cardsConsumers(ctx);
      await chargesConsumers(ctx);
      await chargesRpc(ctx);
      await personalDataRpc(ctx);
      const sweepers = [startSweeper(ctx), startReversalSweeper(ctx)];
      const folding = startFolding(ctx, ['payments', 'card_movements']);
      return {
        close: async () => void (await Promise.all([...sweepers, folding].map((worker) => worker.stop()))),
      };
    },
  });
}
