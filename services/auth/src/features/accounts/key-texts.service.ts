/**
 * SMS to users whose signing passkey was added or removed. The text is fixed and users cannot switch it off.
 */
import { SmsError } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { passkeyAdded, passkeyRemoved } from '../otp/texts.ts';
import { findById } from './accounts.repository.ts';

/** Milliseconds after which no SMS is sent: a service that starts for the first time reads old events. */
const NEWS_MS = 24 * 60 * 60_000;

export type KeyChange = { userId: string; action: 'added' | 'removed'; at: Date };

/**
 * Sends the SMS. Throws only if the provider has certainly not accepted it, so that the event is delivered
 * again. Any other failure is only logged, because the app and an e-mail report the change too.
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
