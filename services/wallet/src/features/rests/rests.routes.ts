import { toRupees } from '@karaar/contracts/charge';
import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { giveUpRest } from './rests.service.ts';

export function restsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.giveUpRest, async ({ principal, body }) => {
    const rest = { amount: body.amount, idempotencyKey: body.idempotency_key };
    const { balancePaise } = await giveUpRest(ctx, principal.userId, rest);
    return { balance: toRupees(balancePaise) };
  });
}
