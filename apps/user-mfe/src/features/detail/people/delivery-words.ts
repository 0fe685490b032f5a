import { dayInIndia } from '@karaar/contracts/answer-by';
import type { Delivery } from '@karaar/contracts/notifications/http';
import type { KeyOf, Message } from '@karaar/i18n';
import { formatDateTime, formatTime } from '@karaar/ui/format';
import type { Static } from 'typebox';
import type en from '../../../shared/catalogs/detail/texts/en.json';
import type { Party } from '../../../shared/roles.ts';

export type Mail = Static<typeof Delivery>;
export type DeliveryLine = {
  channel: 'sms' | 'email';
  message: Message<KeyOf<typeof en>>;
  failed: boolean;
};

const SMS = {
  queued: 'smsQueued',
  sent: 'smsSent',
  unconfirmed: 'smsUnconfirmed',
  delivered: 'smsDelivered',
  failed: 'smsFailed',
} as const;

/**
 * Returns the newest SMS and the newest e-mail to a party in words. Skipped e-mails are left out: the reason
 * is the party's own.
 * @param mails newest first
 */
export function deliveryLines(
  { user_id, text_message }: Pick<Party, 'user_id' | 'text_message'>,
  mails: readonly Mail[],
  now: Date,
): DeliveryLine[] {
  const lines: DeliveryLine[] = [];
  if (text_message) {
    const { state, at } = text_message;
    const message = { key: SMS[state], values: { time: timeOf(at, now) } };
    lines.push({ channel: 'sms', message, failed: state === 'failed' });
  }
  const mail = mails.find((one) => one.user_id === user_id && one.state !== 'skipped');
  if (mail) {
    const message = { key: mailKey(mail), values: { time: timeOf(mail.at, now) } };
    lines.push({ channel: 'email', message, failed: mail.state === 'failed' });
  }
  return lines;
}

function mailKey({ state, bounced }: Mail): KeyOf<typeof en> {
  if (state === 'failed') return bounced ? 'mailBounced' : 'mailFailed';
  return state === 'sent' ? 'mailSent' : 'mailQueued';
}

const timeOf = (at: string, now: Date): string =>
  dayInIndia(new Date(at)) === dayInIndia(now) ? formatTime(at) : formatDateTime(at);
