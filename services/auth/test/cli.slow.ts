import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { until } from '@karaar/testing/until';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
let api: Api;
beforeAll(async () => {
  api = await startApi('auth-cli', {
    FIRST_ADMIN_USERNAME: 'root',
    FIRST_ADMIN_PASSWORD: 'from the environment',
  });
}, 120_000);
afterAll(() => api.stop());

const karaar = async (args: string[], env: Record<string, string> = {}, input = '') => {
  const cli = join(import.meta.dirname, '../src/cli.ts');
  const { DATABASE_URL = '' } = api.world.env;
  const given = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL,
    NATS_URL: natsUrlOf(api.world.natsUrl, 'ops', () => ''),
    AUTH_SECRET: api.authSecret,
    ...env,
  };
  const running = run(process.execPath, [cli, ...args], { env: given });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  );
};
const login = (username: string, password: string) =>
  api.json('POST', '/admin/login', { username, password });

it('makes admins, the first one also from the environment', async () => {
  expect((await login('root', 'from the environment')).status).toBe(200);
  const made = await karaar(['create-admin', '--username', 'meera', '--role', 'support'], {
    ADMIN_PASSWORD: 'a long enough one',
  });
  expect(made).toMatchObject({ code: 0 });
  expect((await login('meera', 'a long enough one')).body).toMatchObject({ role: 'support' });
  for (const [args, env, text] of [
    [['create-admin', '--username', 'meera'], { ADMIN_PASSWORD: 'a long enough one' }, 'already'],
    [['create-admin', '--username', 'x'], { ADMIN_PASSWORD: 'short' }, 'at least 12'],
    [['create-admin', '--username', 'x', '--role', 'king'], {}, '--role super-admin'],
    [['nothing'], {}, 'Usage'],
  ] as const) {
    const refused = await karaar([...args], env);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(text) });
  }
});

it("reads an admin's password from standard input, so that no variable and no command line shows it", async () => {
  const args = ['create-admin', '--username', 'asha', '--password-stdin'];
  expect(await karaar(args, {}, 'typed by a person\n')).toMatchObject({ code: 0 });
  expect((await login('asha', 'typed by a person')).status).toBe(200);
  expect(await karaar(args, { ADMIN_PASSWORD: 'not the one that is meant' })).toMatchObject({ code: 1 });
});

it('deletes the passkeys of an admin who has lost them, and reports an admin without passkeys', async () => {
  const db = api.service.foundation.db;
  const { id } = await db
    .selectFrom('admins')
    .select('id')
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('admin_passkeys')
    .values({
      id: '019a0000-0000-7000-8000-000000000001',
      admin_id: id,
      credential_id: 'lost',
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: [],
      synced: false,
      name: 'Lost',
    })
    .execute();
  expect((await login('root', 'from the environment')).body).toMatchObject({ code: 'passkey_required' });
  expect(await karaar(['forget-passkeys', '--username', 'root'])).toMatchObject({ code: 0 });
  expect((await login('root', 'from the environment')).status).toBe(200);
  for (const [args, text] of [
    [['forget-passkeys', '--username', 'root'], 'no admin root with a passkey'],
    [['forget-passkeys'], '--username NAME'],
  ] as const) {
    const refused = await karaar([...args]);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(text) });
  }
});

it('rotates the signing key, so that two keys are live', async () => {
  expect(await karaar(['rotate-keys'])).toMatchObject({ code: 0 });
  await until('both keys are published', async () => {
    const { body } = await api.json('GET', '/.well-known/jwks.json');
    return (body['keys'] as unknown[]).length === 2;
  });
});
