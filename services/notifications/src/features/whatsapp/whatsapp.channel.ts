import type { Context } from '../../context.ts';
import { noteWhatsappReport } from '../deliveries/deliveries.repository.ts';
import type { DeliveryChannel } from '../deliveries/delivery.worker.ts';
import { pathOf } from '../deliveries/path-of.ts';
import { phoneLimit } from '../sms/sms.repository.ts';
import { causeOf, WhatsappError, type WhatsappClient } from './whatsapp-client.ts';
import { writeWhatsapp } from './whatsapp-texts.ts';

const LONGEST_REST_MS = 60_000;

/** Returns the channel of WhatsApp messages. */
export const whatsappChannel = (ctx: Context, client: WhatsappClient): DeliveryChannel => ({
  name: 'whatsapp',
  longestRestMs: LONGEST_REST_MS,
  failureOf: (error) => (error instanceof WhatsappError ? error.failure : undefined),
  // Meta has no such request. Its reports name the message, and the worker has looked for one.
  find: () => Promise.resolve('unknown'),
  prepare: async (row, [item]) => {
    const user = await ctx.directory.refresh(item.user_id);
    if (!user?.is_active) return { state: 'skipped', reason: 'no active account' };
    const limit = await phoneLimit(ctx.db, row, item, ctx.config);
    if (limit) return limit;
    const { kind, amount_paise } = item;
    const message = writeWhatsapp(user.language ?? 'en', { kind, amountPaise: Number(amount_paise ?? 0) });
    const path = pathOf(kind, item.document_id).slice(1);
    return async () => {
      try {
        await client.send({ ...message, to: user.phone_no, path, deliveryId: row.id });
      } catch (error) {
        if (error instanceof WhatsappError && error.failure === 'refused')
          await noteWhatsappReport(ctx.db, row.id, causeOf(error.code));
        throw error;
      }
    };
  },
});
