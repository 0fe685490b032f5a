/** Decides whether and when a queued message goes out. Pure. */
import { ALWAYS_SENT, isWanted, type NotificationKind } from '@karaar/contracts/notifications/kinds';
import type { Config } from '../../config.ts';
import { quietHoursIn } from '../preferences/preferences.repository.ts';
import { afterQuietHours, type QuietHours } from '../preferences/quiet-hours.ts';
import type { Channel, Item } from './deliveries.repository.ts';

/** Sent during quiet hours too, because another person may be using the account. */
export const URGENT: ReadonlySet<NotificationKind> = new Set(['new_sign_in', ...ALWAYS_SENT]);

/** Not sent once the user has read them in the app. */
const CALLS: ReadonlySet<NotificationKind> = new Set([
  'invited',
  'reminded',
  'your_turn',
  'approval_ended',
  'join_requested',
  'admitted',
  'unread_chat',
]);

/** Returns the reason why a notification need not be sent any more. */
export function needlessBecause(
  { kind, read_at, wanted }: Pick<Item, 'kind' | 'read_at' | 'wanted'>,
  channel: Channel,
): string | undefined {
  if (read_at && CALLS.has(kind)) return 'read in the app';
  const chosen = wanted === null ? {} : { [channel]: wanted };
  return isWanted(kind, channel, chosen) ? undefined : 'switched off';
}

/** Returns the first moment from `from` on at which a message may go out. */
export function dueFrom(
  from: Date,
  message: { kind: NotificationKind } & Parameters<typeof quietHoursIn>[0],
  channel: Channel,
  config: Pick<Config, 'SMS_QUIET_HOURS'>,
): Date {
  if (URGENT.has(message.kind)) return from;
  const own = quietHoursIn(message);
  const all = channel === 'email' ? [own] : [own, smsQuietHours(config)];
  // Twice, because the end of the second quiet hours may be within the first.
  return [...all, ...all].reduce(afterQuietHours, from);
}

function smsQuietHours({ SMS_QUIET_HOURS }: Pick<Config, 'SMS_QUIET_HOURS'>): QuietHours {
  const [from = 0, until = 0] = SMS_QUIET_HOURS.split('-').map(Number);
  return { from, until };
}
