import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import { dueFrom, needlessBecause } from './still-due.ts';

const india = (time: string) => new Date(`2026-11-25T${time}:00+05:30`);
const nextDay = (time: string) => new Date(`2026-11-26T${time}:00+05:30`);
const config = { SMS_QUIET_HOURS: '21-8' };
const due = (
  time: string,
  channel: 'email' | 'sms' | 'whatsapp',
  kind: NotificationKind = 'sealed',
  own: [number, number] | null = null,
) =>
  dueFrom(
    india(time),
    { kind, quiet_from: own?.[0] ?? null, quiet_until: own?.[1] ?? null },
    channel,
    config,
  );

it('sends SMS and WhatsApp messages that can wait between 8 am and 9 pm only, and e-mails at any hour', () => {
  expect(due('20:59', 'sms')).toEqual(india('20:59'));
  for (const channel of ['sms', 'whatsapp'] as const) expect(due('21:00', channel)).toEqual(nextDay('08:00'));
  expect(due('03:00', 'sms')).toEqual(india('08:00'));
  expect(due('03:00', 'email')).toEqual(india('03:00'));
});

it('sends warnings about the account at any hour', () => {
  for (const kind of ['new_sign_in', 'data_exported'] as const)
    expect(due('03:00', 'sms', kind, [0, 23])).toEqual(india('03:00'));
});

it("adds the user's own quiet hours", () => {
  expect(due('03:00', 'sms', 'sealed', [8, 11])).toEqual(india('11:00'));
  expect(due('19:30', 'sms', 'sealed', [19, 22])).toEqual(nextDay('08:00'));
  expect(due('19:30', 'email', 'sealed', [19, 22])).toEqual(india('22:00'));
});

it('needs no SMS for a kind that is off by default, unless the user has chosen it', () => {
  const reason = (kind: NotificationKind, wanted: boolean | null, read_at: Date | null = null) =>
    needlessBecause({ kind, wanted, read_at }, 'sms');
  expect(reason('all_approved', null)).toBe('switched off');
  expect(reason('all_approved', true)).toBeUndefined();
  expect(reason('your_turn', null)).toBeUndefined();
  expect(reason('your_turn', false)).toBe('switched off');
  expect(reason('your_turn', true, new Date())).toBe('read in the app');
  expect(reason('data_exported', false)).toBeUndefined();
});
