import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { EventData } from '@karaar/contracts/kit';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import { connectBus } from '@karaar/bus';
import { uuidv7 } from '@karaar/db';
import { listIn } from '@karaar/testing/list-in';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { usersPage } from '../src/features/accounts/user-search.ts';
import { putSharedDocument } from '../src/features/directory/directory.repository.ts';
import { rebuildSharedDocuments } from '../src/features/directory/directory.service.ts';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const asha = newPerson();
const vikram = newPerson();
let people: { document_id: string; people: string[]; version: number }[] = [];

beforeAll(async () => {
  api = await startApi('auth-directory', { CONTACT_SEARCHES_PER_HOUR: '5' });
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'Vikram Shah'));
  await api.world.serve(documentsRpc.people, () => ({
    documents: people,
    next: null,
  }));
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => api.forgetLimits());

const db = () => api.service.foundation.db;
const get = (path: string, headers: Record<string, string>) => api.json('GET', path, undefined, headers);

describe('the directory', () => {
  it('[PROFILE-022] [PROFILE-024] shows phone and e-mail to users who share a document, by event and after a rebuild', async () => {
    const mine = await api.signIn(asha.phone);
    const otherProfile = await api.signIn(vikram.phone);
    const [me, them] = [String(mine.body['user_id']), String(otherProfile.body['user_id'])];
    const seen = async () => {
      const { phone_no, email } = (await get(`/users/${them}`, mine.headers)).body;
      return [phone_no, email];
    };
    const masked = [`+91••••••${vikram.phone.slice(-4)}`, vikram.email.replace(/^(.).*@/, '$1•••@')];
    const whole = [vikram.phone, vikram.email];
    expect(await seen()).toEqual(masked);

    const documentId = uuidv7();
    await publishAsDocuments(
      {
        document_id: documentId,
        status: 'pending',
        primary_user: me,
        involved_users: [me, them],
        acquainted_users: [me, them],
      },
      2,
    );
    await until('seen', async () => (await seen())[0] === vikram.phone, 5_000);
    expect(await seen()).toEqual(whole);
    const listed = listIn<Record<string, unknown>>(
      (await get('/users/all?search=vikram', mine.headers)).body,
    );
    expect(listed.find((user) => user['user_id'] === them)).toMatchObject({
      phone_no: vikram.phone,
      email: vikram.email,
    });
    await publishAsDocuments(
      { document_id: documentId, status: 'pending', primary_user: me, involved_users: [me] },
      1,
    );
    await publishAsDocuments(
      { document_id: documentId, status: 'pending', primary_user: me, involved_users: [me] },
      3,
    );
    await until('masked', async () => (await seen())[0] === masked[0], 5_000);
    expect(await seen()).toEqual(masked);

    await db().deleteFrom('shared_documents').execute();
    people = [{ document_id: documentId, people: [me, them], version: 4 }];
    const url = natsUrlOf(api.world.natsUrl, 'ops', () => '');
    const bus = await connectBus({ url, name: 'ops', logger: api.service.foundation.logger });
    expect(await rebuildSharedDocuments({ db: db(), bus })).toBe(1);
    await bus.close();
    expect(await seen()).toEqual(whole);
  });

  it('hides phone and e-mail between an inviting and an invited user until the invitation is accepted', async () => {
    const [sunil, tara] = [newPerson(), newPerson()];
    await api.register(sunil);
    await api.register(tara, (form) => form.set('name', 'Tara Bose'));
    const [host, guest] = [await api.signIn(sunil.phone), await api.signIn(tara.phone)];
    const [hostId, guestId] = [String(host.body['user_id']), String(guest.body['user_id'])];
    /** Phone and e-mail of the guest and of the host, by id and by name. */
    const contacts = async () => {
      const listed = (await get(`/users/all?search=${String(guest.body['char_id'])}`, host.headers)).body;
      const users = [
        (await get(`/users/${guestId}`, host.headers)).body,
        listIn<Record<string, unknown>>(listed).find((user) => user['user_id'] === guestId),
        (await get(`/users/${hostId}`, guest.headers)).body,
      ];
      return users.flatMap((user) => [user?.['phone_no'], user?.['email']]);
    };
    const shared = {
      document_id: uuidv7(),
      status: 'pending' as const,
      primary_user: hostId,
      involved_users: [hostId, guestId],
    };
    const version = async () => {
      const row = await db()
        .selectFrom('shared_documents')
        .select('version')
        .where('document_id', '=', shared.document_id)
        .executeTakeFirst();
      return row?.version;
    };
    // Also events of an older build, which do not list acquainted users.
    for (const [nth, eventData] of [shared, { ...shared, acquainted_users: [hostId] }].entries()) {
      await publishAsDocuments(eventData, nth + 1);
      await until('applied', async () => (await version()) === nth + 1, 5_000);
      expect(await contacts()).toEqual(Array(6).fill(expect.stringContaining('•')));
    }
    await publishAsDocuments({ ...shared, acquainted_users: [hostId, guestId] }, 3);
    await until('applied', async () => (await version()) === 3, 5_000);
    const whole = [tara.phone, tara.email, tara.phone, tara.email, sunil.phone, sunil.email];
    expect(await contacts()).toEqual(whole);
  });

  it('limits searches by phone and e-mail', async () => {
    const { headers } = await api.signIn(asha.phone);
    const statuses = [];
    for (let i = 0; i < 6; i += 1)
      statuses.push((await get(`/users/all?search=98000000${10 + i}`, headers)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await get('/users/all?search=vikram', headers)).status).toBe(200);
  });

  it('finds a user by phone and ID in every usual spelling, and counts each phone search', async () => {
    const { headers } = await api.signIn(asha.phone);
    const theirs = await api.signIn(vikram.phone);
    const id = String(theirs.body['char_id']);
    const digits = vikram.phone.slice(3);
    const bengali = digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x9e6 + Number(digit)));
    const found = async (search: string) => {
      const { body } = await get(`/users/all?search=${encodeURIComponent(search)}`, headers);
      return [search, listIn<Record<string, unknown>>(body).map((user) => user['char_id'])];
    };
    const phones = [`0${digits}`, `0091${digits}`, `(${digits.slice(0, 5)}) ${digits.slice(5)}`, bengali];
    for (const search of [
      ...phones,
      `${id.slice(0, 4)} ${id.slice(4)}`,
      `${id.slice(0, 4)}-${id.slice(4)}`.toLowerCase(),
    ])
      expect(await found(search)).toEqual([search, [id]]);
    expect((await get(`/users/all?search=${encodeURIComponent(digits)}`, headers)).status).toBe(200);
    expect((await get(`/users/all?search=${encodeURIComponent(bengali)}`, headers)).status).toBe(429);
  });

  it('lists no stranger by the beginning of a name or without a search, only by a whole ID or phone', async () => {
    const [mine, theirs] = [await api.signIn(asha.phone), await api.signIn(vikram.phone)];
    await db().deleteFrom('shared_documents').execute();
    const found = async (search: string) =>
      listIn<Record<string, unknown>>(
        (await get(`/users/all?search=${encodeURIComponent(search)}`, mine.headers)).body,
      ).map((user) => user['user_id']);
    for (const part of ['v', 'vi', 'vikram', 'shah', 'Vikram Shah', vikram.phone.slice(0, 12)])
      expect([part, await found(part)]).toEqual([part, []]);
    expect(await found('')).toEqual([mine.body['user_id']]);
    for (const whole of [String(theirs.body['char_id']), vikram.phone])
      expect(await found(whole)).toEqual([theirs.body['user_id']]);
  });

  it('[PROFILE-020] finds people of shared documents by the beginning of any word of a name, page by page', async () => {
    const { headers, body: me } = await api.signIn(asha.phone);
    const names = async (query: string) => {
      const { body } = await get(`/users/all?${query}`, headers);
      return listIn<Record<string, unknown>>(body).map((user) => [user['name'], user['user_id']]);
    };
    const shahs = ['Shahana Khan', 'Ravi Shah', 'Pasha Shah_100%'];
    const people = [String(me['user_id']), String((await api.signIn(vikram.phone)).body['user_id'])];
    for (const name of shahs) {
      const shah = newPerson();
      await api.register(shah, (form) => form.set('name', name));
      people.push(String((await api.signIn(shah.phone)).body['user_id']));
    }
    await putSharedDocument(db(), { id: uuidv7(), people, version: 1 });
    const all = await names('search=SHA');
    expect(all.map(([name]) => name)).toEqual(['Vikram Shah', ...shahs]);
    expect(await names(`search=sha&limit=2&cursor=${String(all[1]?.[1])}`)).toEqual(all.slice(2));
    // Wildcards of SQL patterns are ordinary characters; the middle of a word does not match.
    expect(await names('search=shah_100%25')).toEqual(all.slice(3));
    expect(await names('search=_hah')).toEqual([]);
    expect(await names('search=hah')).toEqual([]);
    expect((await names('search=s')).length).toBe(4);
  });

  it('reads only index matches when it searches among a hundred thousand users', async () => {
    // In steps: one statement for all rows might exceed the statement timeout on a busy machine.
    for (let from = 1; from <= 100_000; from += 20_000)
      await sql`
      INSERT INTO users (id, char_id, name, email, phone_no, city, state)
      SELECT gen_random_uuid(), 'T' || lpad(n::text, 7, '0'),
        (ARRAY['Ravi Kumar', 'Sita Devi', 'Amit Singh'])[1 + n % 3] || ' ' || substr(md5(n::text), 1, 5),
        'many' || n || '@example.org', '+917' || lpad(n::text, 9, '0'), '', ''
      FROM generate_series(${from}::int, ${from + 19_999}::int) AS n`.execute(db());
    await sql`ANALYZE users`.execute(db());
    const viewer = String((await api.signIn(asha.phone)).body['user_id']);
    for (const search of ['farida', 'kumar a1b2', 'T0000042', '+917000000042']) {
      const query = usersPage(db(), viewer, { search, limit: 50 });
      const plan = (await query.explain('text')).map((line) => Object.values(line as object)[0]).join('\n');
      expect(plan).not.toContain('Seq Scan on users');
    }
  });
});

async function publishAsDocuments(
  data: EventData<typeof documentsEvents.changed>,
  version: number,
): Promise<void> {
  await api.world.publish(documentsEvents.changed, data, {
    aggregateId: data.document_id,
    aggregateVersion: version,
  });
}
