/**
 * The database connection fails after COMMIT is sent and before its answer, so the service does not know the
 * outcome.
 */
import { jest } from '@jest/globals';
import { commitOf, databaseProxy } from '@karaar/testing/servers/proxy';
import { registrationForm, newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let proxy: Awaited<ReturnType<typeof databaseProxy>>;

beforeAll(async () => {
  api = await startApi('auth-unknown-commit', async ({ env }) => {
    proxy = await databaseProxy(env['DATABASE_URL'] ?? '');
    return { DATABASE_URL: proxy.url };
  });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await proxy.close();
});

async function imageOf(headers: Record<string, string>): Promise<{ link: string; status: number }> {
  const link = String((await api.json('GET', '/users/profile', undefined, headers)).body['govt_id_image']);
  return { link, status: (await fetch(`${api.url}${link.replace('/api', '')}`)).status };
}

it('keeps the recorded ID image of a registration and of a profile change', async () => {
  const person = newPerson();
  const registered = proxy.fail({ kind: 'answer', to: commitOf('users') });
  await api.register(person);
  await registered.happened;
  const { headers } = await api.signIn(person.phone);
  const first = await imageOf(headers);
  expect(first.status).toBe(200);

  const form = new FormData();
  form.append('govt_id_image', (await registrationForm(newPerson())).get('govt_id_image') ?? '');
  const changed = proxy.fail({ kind: 'answer', to: { saying: 'commit\0', after: 'update "users"' } });
  await api.send('/users/profile', form, headers, 'PUT');
  await changed.happened;
  const second = await imageOf(headers);
  expect(second.link.split('?')[0]).not.toBe(first.link.split('?')[0]);
  expect(second.status).toBe(200);
});
