import { randomUUID } from 'node:crypto';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { newPerson, startApi, type Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi('auth-key-texts');
}, 120_000);
afterAll(() => api.stop());

async function someone(language?: string) {
  const person = newPerson();
  await api.register(person, (form) => language && form.append('language', language));
  const { headers } = await api.signIn(person.phone);
  const { body: profile } = await api.json('GET', '/users/profile', undefined, headers);
  return { phone: person.phone, userId: String(profile['user_id']) };
}
const textsTo = (phone: string) =>
  api.texts.filter((text) => text.phone === phone && /passkey|पासकी/.test(text.text)).map(({ text }) => text);
const publishKeyChange = (user_id: string, action: 'added' | 'removed', fields = {}) =>
  api.world.publish(documentsEvents.passkeyChanged, { user_id, action }, fields);

it('sends one SMS for each change, with a fixed text', async () => {
  const { phone, userId } = await someone();
  const id = randomUUID();
  await publishKeyChange(userId, 'added', { id });
  await until('the first is told', () => textsTo(phone).length === 1);
  await publishKeyChange(userId, 'removed');
  await until('the second is told', () => textsTo(phone).length === 2);
  expect(textsTo(phone)[0]).toMatch(/^Karaar: a passkey was added to your account\./);
  expect(textsTo(phone)[1]).toMatch(/^Karaar: a passkey was removed from your account\./);
});

it('writes in the language of the account, and sends nothing for old changes', async () => {
  const { phone, userId } = await someone('hi');
  await publishKeyChange(userId, 'added', {
    occurredAt: new Date(Date.now() - 25 * 3_600_000).toISOString(),
  });
  await publishKeyChange(randomUUID(), 'added');
  await publishKeyChange(userId, 'removed');
  await until('the news is told', () => textsTo(phone).length > 0);
  expect(textsTo(phone)).toEqual([expect.stringMatching(/^Karaar: आपके खाते से एक पासकी हटाई गई।/)]);
});

it('goes on after a text that the provider refuses', async () => {
  const [refused, next] = [await someone(), await someone()];
  api.sms.down = 'refused';
  const id = await publishKeyChange(refused.userId, 'added');
  await until('the refused one is done with', async () => {
    const { rows } = await sql`SELECT FROM inbox WHERE event_id = ${id} AND handler = 'text-passkey'`.execute(
      api.service.foundation.db,
    );
    return rows.length === 1;
  });
  api.sms.down = false;
  await publishKeyChange(next.userId, 'added');
  await until('the next is told', () => textsTo(next.phone).length === 1);
});
