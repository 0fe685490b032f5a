import { authEvents } from '@karaar/contracts/auth/events';
import type { Context } from '../../context.ts';
import { rememberUser } from './directory.service.ts';

/** Keeps the local directory of users in step with the auth service. */
export async function directoryConsumers(ctx: Context): Promise<void> {
  for (const event of [authEvents.userRegistered, authEvents.userUpdated]) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName: `documents-directory-${event.type.split('.').at(-1)}`,
      handle: (envelope, tx) => rememberUser(tx, envelope.data),
    });
  }
}
