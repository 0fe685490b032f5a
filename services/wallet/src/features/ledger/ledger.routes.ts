import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentBalance, presentMovement } from './ledger.presenter.ts';
import { eachMovement, getBalance, listMovements, requireDays } from './ledger.service.ts';
import { statementCsv, statementName } from './statement.ts';

export function ledgerRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.balance, async ({ principal }) =>
    presentBalance(await getBalance(ctx, principal.userId)),
  );
  mountRoute(app, routes.transactions, async ({ principal, query }) =>
    (await listMovements(ctx, principal.userId, query)).map(presentMovement),
  );
  mountRoute(app, routes.statement, async ({ principal, query }) => {
    requireDays(query);
    return {
      body: statementCsv(eachMovement(ctx, principal.userId, query)),
      mime: 'text/csv; charset=utf-8',
      filename: statementName(principal.charId, query),
      download: true,
    };
  });
}
