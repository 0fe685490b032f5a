import { exceptionRoutes as routes } from '@karaar/contracts/wallet/exceptions';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentException, presentRun } from './exceptions.presenter.ts';
import { compareNow, lastRun, listExceptions } from './exceptions.service.ts';
import { confirm, propose } from './resolve.service.ts';

/** @param wakes wakes the comparison, which then checks whether a run is due */
export function exceptionRoutes(app: HttpApp, ctx: Context, wakes: () => void): void {
  mountRoute(app, routes.listExceptions, async ({ query }) => {
    const { rows, nextCursor } = await listExceptions(ctx, query);
    return { items: rows.map(presentException), next_cursor: nextCursor };
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
  mountRoute(app, routes.reconciliation, async () => presentRun(await lastRun(ctx)));
  mountRoute(app, routes.reconcileNow, async ({ principal }) => {
    const run = await compareNow(ctx, principal.userId);
    wakes();
    return presentRun(run);
  });
}
