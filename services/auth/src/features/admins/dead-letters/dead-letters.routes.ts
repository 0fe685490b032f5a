import { deadLetterRoutes as routes } from '@karaar/contracts/auth/dead-letters-http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../../context.ts';
import { dropDeadLetter, listDeadLetters, retryDeadLetter } from './dead-letters.service.ts';

export function deadLettersRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listDeadLetters, ({ query }) => listDeadLetters(ctx, query.service || undefined));
  mountRoute(app, routes.retryDeadLetter, async ({ principal, params, body }) => ({
    outcome: await retryDeadLetter(ctx, principal.userId, { service: params.service, ...body }),
  }));
  mountRoute(app, routes.dropDeadLetter, async ({ principal, params, body: { reason, ...key } }) => {
    await dropDeadLetter(ctx, principal.userId, { service: params.service, ...key }, reason);
    return { dropped: true as const };
  });
}
