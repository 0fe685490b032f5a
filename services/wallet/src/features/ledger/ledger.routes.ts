import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentBalance, presentMovement } from './ledger.presenter.ts';
import { getBalance, listMovements } from './ledger.service.ts';

export function ledgerRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.balance, async ({ principal }) =>
    presentBalance(await getBalance(ctx, principal.userId)),
  );
  mountRoute(app, routes.transactions, async ({ principal, query }) =>
    (await listMovements(ctx, principal.userId, query)).map(presentMovement),
  );
}
