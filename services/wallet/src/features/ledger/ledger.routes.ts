import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentBalance, presentMovement } from './ledger.presenter.ts';
import { eachMovement, getBalance, listMovements, printStatement, requireDays } from './ledger.service.ts';
import { statementCsv, statementName } from './statement.ts';

export function ledgerRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.balance, async ({ principal }) =>
    presentBalance(await getBalance(ctx, principal.userId)),
  );
  mountRoute(app, routes.transactions, async ({ principal, query }) =>
    (await listMovements(ctx, principal.userId, query)).map(presentMovement),
  );
  mountRoute(app, routes.statement, async ({ principal, query }) => {
    const { format = 'csv', language, ...period } = query;
    requireDays(period);
    const filename = statementName(principal.charId, period, format);
    const body =
      format === 'pdf'
        ? await printStatement(ctx, principal, period, language)
        : statementCsv(eachMovement(ctx, principal.userId, period));
    const mime = format === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8';
    return { body, mime, filename, download: true };
  });
}
