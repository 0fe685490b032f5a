import { dayInIndia } from '@karaar/contracts/answer-by';
import type { Delivery } from '@karaar/contracts/notifications/http';
import type { NotificationChannel } from '@karaar/contracts/notifications/kinds';
import type { SentSms, SmsFailure } from '@karaar/contracts/sms';
import type { KeyOf, Message } from '@karaar/i18n';
import { formatDateTime, formatTime } from '@karaar/ui/format';
import type { Static } from 'typebox';
import type en from '../../../shared/catalogs/detail/texts/en.json';
import type { Party } from '../../../shared/roles.ts';

export type Sent = Static<typeof Delivery>;
export type DeliveryLine = {
  channel: Exclude<NotificationChannel, 'app'>;
  message: Message<KeyOf<typeof en>>;
  failed: boolean;
};

/** A carrier's report that is later than this was lost. */
const REPORTED_WITHIN_MS = 24 * 60 * 60_000;

const SMS = {
  queued: 'smsQueued',
  sent: 'smsSent',
  unconfirmed: 'smsUnconfirmed',
  delivered: 'smsDelivered',
  failed: 'smsFailed',
} as const;

const CAUSES = {
  unreachable: 'smsUnreachable',
  unknown_number: 'smsUnknownNumber',
  blocked: 'smsBlocked',
  undelivered: 'smsFailed',
} as const satisfies Record<SmsFailure, KeyOf<typeof en>>;

const WHATSAPP = {
  queued: 'whatsappQueued',
  sent: 'whatsappSent',
  unconfirmed: 'whatsappUnconfirmed',
  delivered: 'whatsappDelivered',
  failed: 'whatsappFailed',
} as const;

/**
 * Returns the newest message on each channel to a party in words. Skipped ones are left out: the reason is the
 * party's own.
 * @param sent newest first
 */
export function deliveryLines(
  { user_id, text_message }: Pick<Party, 'user_id' | 'text_message'>,
  sent: readonly Sent[],
  now: Date,
): DeliveryLine[] {
  const lines: DeliveryLine[] = [];
  const newest = (channel: Sent['channel']) =>
    sent.find((one) => one.channel === channel && one.user_id === user_id && one.state !== 'skipped');
  const sms = later(text_message, newest('sms'));
  if (sms && sms.state !== 'skipped') {
    const message = smsWords({ ...sms, state: sms.state }, now);
    lines.push({ channel: 'sms', message, failed: sms.state === 'failed' });
  }
  const whatsapp = newest('whatsapp');
  if (whatsapp && whatsapp.state !== 'skipped') {
    const message = {
      key: whatsapp.cause === 'unreachable' ? ('whatsappUnreachable' as const) : WHATSAPP[whatsapp.state],
      values: { time: timeOf(whatsapp.at, now) },
    };
    lines.push({ channel: 'whatsapp', message, failed: whatsapp.state === 'failed' });
  }
  const mail = newest('email');
  if (mail) {
    const message = { key: mailKey(mail), values: { time: timeOf(mail.at, now) } };
    lines.push({ channel: 'email', message, failed: mail.state === 'failed' });
  }
  return lines;
}

/** Returns the state of an SMS in words, with its time. */
export function smsWords({ state, cause, at }: SentSms, now: Date): DeliveryLine['message'] {
  const isLost = state === 'sent' && now.getTime() - Date.parse(at) > REPORTED_WITHIN_MS;
  return {
    key: cause ? CAUSES[cause] : SMS[isLost ? 'unconfirmed' : state],
    values: { time: timeOf(at, now) },
  };
}

const later = <A extends { at: string }, B extends { at: string }>(a?: A, b?: B): A | B | undefined =>
  !a || (b && Date.parse(b.at) > Date.parse(a.at)) ? b : a;

function mailKey({ state, bounced }: Sent): KeyOf<typeof en> {
  if (state === 'failed') return bounced ? 'mailBounced' : 'mailFailed';
  return state === 'sent' ? 'mailSent' : 'mailQueued';
}

const timeOf = (at: string, now: Date): string =>
  dayInIndia(new Date(at)) === dayInIndia(now) ? formatTime(at) : formatDateTime(at);
