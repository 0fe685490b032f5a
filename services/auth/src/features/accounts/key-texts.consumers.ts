import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { textKeyChange } from './key-texts.service.ts';

export async function keyTextsConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.passkeyChanged,
    handlerName: 'text-passkey',
    // Sent before the event counts as applied: a crash in between sends the SMS twice, which does no harm.
    lookUp: ({ occurredAt, data }) =>
      textKeyChange(ctx, { userId: data.user_id, action: data.action, at: new Date(occurredAt) }),
    handle: () => Promise.resolve(),
  });
}
