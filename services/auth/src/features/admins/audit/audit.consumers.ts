import { adminActs } from '@karaar/contracts/admin';
import type { Context } from '../../../context.ts';
import { keepActOf } from './audit.service.ts';

export async function auditConsumers(ctx: Context): Promise<void> {
  for (const [service, event] of Object.entries(adminActs)) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName: `audit-${service}`,
      handle: ({ data }, tx) => keepActOf(tx, data),
    });
  }
}
