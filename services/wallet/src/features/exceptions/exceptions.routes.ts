import { adminActs } from '@karaar/contracts/admin';
import { exceptionRoutes as routes } from '@karaar/contracts/wallet/exceptions';
import { recordAct } from '@karaar/platform/admin-acts';
import { inTransaction } from '@karaar/platform/db-kit';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { askForRun, readRun } from '../reconciliation/reconciliation.repository.ts';
import { presentException, presentRun } from './exceptions.presenter.ts';
import { listExceptionRows } from './exceptions.repository.ts';
import { confirm, propose } from './resolve.service.ts';

const PAGE = 50;

/** @param wakes has the comparison look at once whether it is due */
export function exceptionRoutes(app: HttpApp, ctx: Context, wakes: () => void): void {
  mountRoute(app, routes.listExceptions, async ({ query }) => {
    const limit = query.limit ?? PAGE;
    const rows = await listExceptionRows(ctx.db, {
      state: query.state,
      before: query.cursor,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      items: page.map(presentException),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  });
  mountRoute(app, routes.proposeResolution, async ({ principal, params, body }) =>
    presentException(
      await propose(ctx, principal.userId, params.id, {
        version: body.version,
        resolution: body.resolution,
        reason: body.reason,
        userId: body.user_id,
      }),
    ),
  );
  mountRoute(app, routes.confirmResolution, async ({ principal, params, body }) =>
    presentException(await confirm(ctx, principal.userId, params.id, body.version)),
  );
  mountRoute(app, routes.reconciliation, async () => presentRun(await readRun(ctx.db)));
  mountRoute(app, routes.reconcileNow, async ({ principal }) => {
    const run = await inTransaction(ctx.db, async (tx) => {
      await recordAct(ctx.outbox, tx, adminActs.wallet, {
        adminId: principal.userId,
        action: 'reconciliation.asked',
        target: '',
      });
      return askForRun(tx);
    });
    ctx.outbox.poke();
    wakes();
    return presentRun(run);
  });
}
