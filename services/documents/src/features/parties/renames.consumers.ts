import { authEvents } from '@karaar/contracts/auth/events';
import type { Context } from '../../context.ts';
import { recordRenames } from './renames.service.ts';

/** Records new names before a document is sealed, so that the other parties learn of them. */
export async function renamesConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: authEvents.userUpdated,
    handlerName: 'record-rename',
    lookUp: ({ data }) => ctx.directory.refresh(data.user_id),
    handle: async (_event, tx, user) => {
      if (user) await recordRenames(ctx, tx, user);
    },
  });
}
