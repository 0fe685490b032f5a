import { deliveryLines, type Sent } from './delivery-words.ts';

// 00:30 on 3 December in India.
const now = new Date('2026-12-02T19:00:00Z');
const at = '2026-12-02T18:45:00Z';
const mail = (change: Partial<Sent> = {}): Sent => ({
  kind: 'invited',
  channel: 'email',
  user_id: 'guest',
  state: 'sent',
  at,
  ...change,
});
const lines = (text?: 'queued' | 'sent' | 'unconfirmed' | 'delivered' | 'failed', ...sent: Sent[]) =>
  deliveryLines({ user_id: 'guest', ...(text ? { text_message: { state: text, at } } : {}) }, sent, now).map(
    ({ message, failed }) => [message.key, message.values?.['time'], failed],
  );

it('names the state of the SMS and of the newest e-mail to the party, with the time of today', () => {
  const time = '12:15\u00A0am';
  expect(lines('sent', mail(), mail({ state: 'failed' }))).toEqual([
    ['smsSent', time, false],
    ['mailSent', time, false],
  ]);
  expect(lines('queued')[0]).toEqual(['smsQueued', time, false]);
  expect(lines('delivered')[0]).toEqual(['smsDelivered', time, false]);
  expect(lines('unconfirmed')[0]).toEqual(['smsUnconfirmed', time, false]);
  expect(lines('failed', mail({ state: 'failed', bounced: true }))).toEqual([
    ['smsFailed', time, true],
    ['mailBounced', time, true],
  ]);
  expect(lines(undefined, mail({ state: 'queued' }))).toEqual([['mailQueued', time, false]]);
  expect(lines(undefined, mail({ state: 'failed' }))).toEqual([['mailFailed', time, true]]);
});

it('names the newest SMS to the party, whether documents or notifications sent it', () => {
  const sms = (time: string, state: Sent['state'] = 'delivered') =>
    mail({ kind: 'your_turn', channel: 'sms', state, at: time });
  const [earlier, afterwards] = ['2026-12-02T18:40:00Z', '2026-12-02T18:50:00Z'];
  const keys = (...of: Parameters<typeof lines>) => lines(...of).map(([key]) => key);
  expect(keys('sent', sms(afterwards), sms(earlier), mail())).toEqual(['smsDelivered', 'mailSent']);
  expect(keys('sent', sms(earlier))).toEqual(['smsSent']);
  expect(keys(undefined, sms(at, 'unconfirmed'))).toEqual(['smsUnconfirmed']);
  expect(keys(undefined, sms(at, 'skipped'))).toEqual([]);
});

it('says that nothing is known of an SMS without a report after a day', () => {
  const day = 24 * 60 * 60_000;
  const keyOf = (state: 'sent' | 'delivered' | 'queued', later: number) =>
    deliveryLines({ user_id: 'guest', text_message: { state, at } }, [], new Date(Date.parse(at) + later))[0]
      ?.message.key;
  expect([keyOf('sent', day), keyOf('sent', day + 1)]).toEqual(['smsSent', 'smsUnconfirmed']);
  expect([keyOf('delivered', 2 * day), keyOf('queued', 2 * day)]).toEqual(['smsDelivered', 'smsQueued']);
});

it.each([
  ['unreachable', 'smsUnreachable'],
  ['unknown_number', 'smsUnknownNumber'],
  ['blocked', 'smsBlocked'],
  ['undelivered', 'smsFailed'],
] as const)('names the cause of an SMS that is %s', (cause, key) => {
  const failed = { state: 'failed', cause, at } as const;
  const shown = deliveryLines({ user_id: 'guest', text_message: failed }, [], now);
  expect(shown).toMatchObject([{ message: { key }, failed: true }]);
  const sms = mail({ kind: 'your_turn', channel: 'sms', ...failed });
  expect(deliveryLines({ user_id: 'guest' }, [sms], now)).toEqual(shown);
});

it.each([
  [{ state: 'queued' }, 'whatsappQueued', false],
  [{ state: 'sent' }, 'whatsappSent', false],
  [{ state: 'unconfirmed' }, 'whatsappUnconfirmed', false],
  [{ state: 'delivered' }, 'whatsappDelivered', false],
  [{ state: 'failed' }, 'whatsappFailed', true],
  [{ state: 'failed', cause: 'blocked' }, 'whatsappFailed', true],
  [{ state: 'failed', cause: 'unreachable' }, 'whatsappUnreachable', true],
] as const)('names a WhatsApp message that is %j next to the e-mail', (sent, key, failed) => {
  const shown = lines(undefined, mail({ kind: 'your_turn', channel: 'whatsapp', ...sent }), mail());
  expect(shown.map(([name, , bad]) => [name, bad])).toEqual([
    [key, failed],
    ['mailSent', false],
  ]);
});

it('names the day of an earlier time', () => {
  expect(lines(undefined, mail({ at: '2026-12-02T18:15:00Z' }))[0]?.[1]).toBe('2 Dec 2026, 11:45\u00A0pm');
});

it('leaves out e-mails to others and skipped ones', () => {
  expect(lines(undefined, mail({ user_id: 'other' }), mail({ state: 'skipped' }))).toEqual([]);
});
