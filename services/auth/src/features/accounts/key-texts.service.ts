/** Text messages to a person whose passkey for signing was added or removed: fixed words, which cannot be switched off. */
import { SmsError } from '@karaar/platform/sms';
import type { Context } from '../../context.ts';
import { passkeyAdded, passkeyRemoved } from '../otp/texts.ts';
import { findById } from './accounts.repository.ts';

/** Milliseconds after which a change is not told any more: a service that starts for the first time reads old events. */
const NEWS_MS = 24 * 60 * 60_000;

export type KeyChange = { userId: string; action: 'added' | 'removed'; at: Date };

/**
 * Sends the text. Throws only when the provider has certainly not taken it, so that the event comes again; any other failure
 * is logged, since app and e-mail tell the same.
 */
export async function textKeyChange(ctx: Context, { userId, action, at }: KeyChange): Promise<void> {
  if (Date.now() - at.getTime() > NEWS_MS) return;
  const user = await findById(ctx.db, userId);
  if (!user) return;
  const write = action === 'added' ? passkeyAdded : passkeyRemoved;
  try {
    await ctx.sms.send(write(user.phone_no, user.language ?? 'en', {}));
  } catch (error) {
    if (error instanceof SmsError && error.outcome === 'not-sent') throw error;
    ctx.logger.warn({ err: error }, 'a changed passkey could not be told by text message');
  }
}
