import { SmsError, type TextMessage } from '@karaar/sms';
import type { Context } from '../../context.ts';
import type { Item } from '../deliveries/deliveries.repository.ts';
import type { DeliveryChannel } from '../deliveries/delivery.worker.ts';
import { pathOf } from '../deliveries/path-of.ts';
import { phoneLimit } from './sms.repository.ts';
import { statusUrlOf } from './sms-status.service.ts';
import { writeSms } from './sms-texts.ts';

const LONGEST_REST_MS = 60_000;

/** Returns the channel of SMS. */
export const smsChannel = (ctx: Context): DeliveryChannel => ({
  name: 'sms',
  longestRestMs: LONGEST_REST_MS,
  failureOf: (error) => {
    if (!(error instanceof SmsError)) return undefined;
    return error.outcome === 'not-sent' ? 'away' : error.outcome;
  },
  find: async (row, item) => {
    const text = await textOf(ctx, item);
    return text ? ctx.sms.find(text, row.created_at) : 'not-taken';
  },
  prepare: async (row, [item]) => {
    const text = await textOf(ctx, item);
    if (!text) return { state: 'skipped', reason: 'no active account' };
    const limit = await phoneLimit(ctx.db, row, item, ctx.config);
    return limit ?? (() => ctx.sms.send({ ...text, statusUrl: statusUrlOf(ctx.config, row.id) }));
  },
});

async function textOf(ctx: Context, item: Item): Promise<TextMessage | undefined> {
  const user = await ctx.directory.refresh(item.user_id);
  if (!user?.is_active) return undefined;
  return writeSms(user.phone_no, user.language ?? 'en', {
    kind: item.kind,
    amountPaise: Number(item.amount_paise ?? 0),
    link: ctx.config.PUBLIC_URL.replace(/\/$/, '') + pathOf(item.kind, item.document_id),
  });
}
