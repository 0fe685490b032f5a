import { authEvents } from '@karaar/contracts/auth/events';
import type { Context } from '../../context.ts';
import { erasePerson } from './personal-data.service.ts';

export async function personalDataConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: authEvents.userDeleted,
    handlerName: 'erase-personal-data',
    handle: ({ data }, tx) => erasePerson(tx, data.user_id),
  });
}
