import { randomUUID } from 'node:crypto';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { sql } from 'kysely';
import { testNats, testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { connectBus, startBrokerAdmin, type Bus, type BrokerAdmin } from '../bus/index.ts';
import { createDb, migrateToLatest, randomCode8, type Db } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { createDirectory, type Directory, type DirectoryEntry, type DirectoryTable } from './index.ts';
import { busTables, directoryTables } from '@karaar/db/shared-tables';

type Database = { directory: DirectoryTable };

let database: TestDatabase;
let db: Db<Database>;
let bus: Bus;
let auth: Bus;
let brokerAdmin: BrokerAdmin;
let directory: Directory;
/** The users in the auth service, and how often each was requested. */
const known = new Map<string, DirectoryEntry>();
let asked = 0;

beforeAll(async () => {
  database = await testPostgres('directory');
  db = createDb<Database>({ url: database.url, applicationName: 'test' });
  await migrateToLatest(db, {
    '0-bus': { up: busTables },
    '1-init': { up: directoryTables },
  });
  const url = await testNats();
  const logger = createLogger({ name: 'test', level: 'silent' });
  brokerAdmin = await startBrokerAdmin({ url, logger });
  bus = await connectBus({ url, name: 'messaging', logger });
  auth = await connectBus({ url, name: 'auth', logger });
  await auth.serve(authRpc.findUser, async ({ user_id, char_id }) => {
    asked += 1;
    return { user: [...known.values()].find((u) => u.user_id === user_id || u.char_id === char_id) ?? null };
  });
  directory = createDirectory(db, bus);
}, 120_000);
afterAll(async () => {
  await bus.close();
  await auth.close();
  await brokerAdmin.close();
  await db.destroy();
  await database.drop();
});

function newUser(): DirectoryEntry {
  const user = {
    user_id: randomUUID(),
    char_id: randomCode8(),
    name: 'Asha Rao',
    email: 'asha@example.org',
    phone_no: '+919000000001',
    is_active: true,
    profile_complete: true,
    language: null,
    version: 1,
  };
  known.set(user.user_id, user);
  return user;
}

describe('the directory', () => {
  it('requests an unknown user once, and returns undefined for a user whom auth does not know', async () => {
    const user = newUser();
    const before = asked;
    expect(await directory.findByCharId(user.char_id.toLowerCase())).toEqual(user);
    expect(await directory.findById(user.user_id)).toEqual(user);
    expect(asked).toBe(before + 1);
    expect(await directory.findById(randomUUID())).toBeUndefined();
  });

  it('keeps the newest version, whatever the order of events', async () => {
    const user = newUser();
    known.set(user.user_id, { ...user, name: 'Asha Rao-Shah', version: 3 });
    await directory.refresh(user.user_id);
    known.set(user.user_id, { ...user, name: 'Asha R.', version: 2 });
    await directory.refresh(user.user_id);
    expect(await directory.findById(user.user_id)).toMatchObject({ name: 'Asha Rao-Shah', version: 3 });
  });

  it('stores a user’s language, and finds users who never chose one', async () => {
    const user = newUser();
    expect((await directory.findById(user.user_id))?.language).toBeNull();
    known.set(user.user_id, { ...user, language: 'hi', version: 2 });
    await directory.refresh(user.user_id);
    expect((await directory.findById(user.user_id))?.language).toBe('hi');
    const { language: _none, ...older } = newUser();
    known.set(older.user_id, older);
    expect((await directory.findById(older.user_id))?.language ?? null).toBeNull();
  });

  it('finds many at once, and writes nothing if the copy is current', async () => {
    const users = Array.from({ length: 5 }, newUser);
    const writers = () => sql`SELECT user_id, xmin FROM directory ORDER BY user_id`.execute(db);
    for (const user of users) await directory.refresh(user.user_id);
    const before = await writers();
    const ids = [...users.map(({ user_id }) => user_id.toUpperCase()), randomUUID(), 'no id'];
    const found = await Promise.allSettled(ids.map((id) => directory.findById(id)));
    expect(found.slice(0, -1)).toEqual(
      [...users, undefined].map((value) => ({ status: 'fulfilled', value })),
    );
    expect(found.at(-1)?.status).toBe('rejected');
    for (const user of users) expect(await directory.refresh(user.user_id)).toEqual(user);
    expect((await writers()).rows).toEqual(before.rows);
  });

  it('takes one new user from ten concurrent calls', async () => {
    for (let round = 0; round < 60; round += 1) {
      const user = newUser();
      const seen = await Promise.all(Array.from({ length: 10 }, () => directory.refresh(user.user_id)));
      expect(seen).toEqual(Array(10).fill(user));
    }
  });

  it('follows events without user data: it requests the user from auth, and a deleted user stays unknown', async () => {
    await directory.follow();
    const publish = (event: typeof authEvents.userUpdated, userId: string, version: number) =>
      bus.link.js.publish(
        event.subject,
        JSON.stringify({
          id: randomUUID(),
          type: event.type,
          version: event.version,
          occurredAt: new Date().toISOString(),
          aggregateId: userId,
          aggregateVersion: version,
          data: { user_id: userId },
        }),
      );
    const row = (id: string) =>
      db.selectFrom('directory').selectAll().where('user_id', '=', id).executeTakeFirst();
    const gone = randomUUID();
    const user = newUser();
    await publish(authEvents.userRegistered, gone, 1);
    await publish(authEvents.userRegistered, user.user_id, 1);
    await until('known', async () => (await row(user.user_id)) !== undefined);
    expect(await row(gone)).toBeUndefined();
    known.set(user.user_id, { ...user, name: 'Asha Rao-Shah', version: 2 });
    await publish(authEvents.userUpdated, user.user_id, 2);
    await until('renamed', async () => (await row(user.user_id))?.name === 'Asha Rao-Shah');
  });
});
