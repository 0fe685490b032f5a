import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { idCardPng } from '@karaar/testing/faces/faces';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import { sql } from 'kysely';
import { until } from '@karaar/testing/until';
import { putSharedDocument } from '../src/features/directory/directory.repository.ts';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const asha = newPerson();
const vikram = newPerson();
let mine: Awaited<ReturnType<Api['signIn']>>;

beforeAll(async () => {
  api = await startApi('auth-accounts');
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'विक्रम शाह'));
  mine = await api.signIn(asha.phone);
}, 120_000);
afterAll(() => api.stop());

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Vikram's contacts as shown to users who share no document with him. */
const MASKED = {
  phone_no: `+91••••••${vikram.phone.slice(-4)}`,
  email: vikram.email.replace(/^(.).*@/, '$1•••@'),
};
const profile = async () => (await api.json('GET', '/users/profile', undefined, mine.headers)).body;
const list = async (query = '') =>
  listIn<Record<string, string>>((await api.json('GET', `/users/all${query}`, undefined, mine.headers)).body);

describe('registration', () => {
  it('[AUTH-025] [AUTH-027] [AUTH-028] [PROFILE-011] [PROFILE-025] [PROFILE-026] [PROFILE-027] [ADMIN-017] [DOC-037] makes an active user with an ID and the image', async () => {
    const person = newPerson();
    const answer = await api.register(person);
    expect(answer).toMatchObject({ status: 201, body: { redirect_to_login: true } });
    const { headers, body } = await api.signIn(person.phone);
    const user = (await api.json('GET', '/users/profile', undefined, headers)).body;
    expect(user).toEqual({
      _id: body['user_id'],
      user_id: body['user_id'],
      char_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      name: 'Meera Nair',
      email: person.email,
      email_proved: false,
      phone_no: person.phone,
      city: 'Kochi',
      state: 'Kerala',
      status: 'active',
      is_active: true,
      is_admin: false,
      created_at: expect.stringMatching(MOMENT),
      updated_at: expect.stringMatching(MOMENT),
      profile_pic: null,
      signature_pic: null,
      eye_pic: null,
      fingerprint: null,
      govt_id_type: 'PAN',
      govt_id_number: 'ABCDE1234F',
      govt_id_image: expect.stringContaining('/files/'),
      language: null,
      phone_move: null,
    });
    expect(String(user['_id']).charAt(14)).toBe('7');
    const image = await fetch(`${api.url}${String(user['govt_id_image']).replace('/api', '')}`);
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/jpeg');
  });

  it('[AUTH-030] refuses files that are not images, whatever their declared type, and makes no account', async () => {
    const others: [string, string | Uint8Array<ArrayBuffer>][] = [
      ['a text', 'no image at all'],
      ['a page', '<!doctype html><script>alert(1)</script>'],
      [
        'a drawing with a script, which the library that cleans images would draw',
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><script>alert(1)</script><rect width="90" height="60"/></svg>',
      ],
      ['a PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'],
      ['a PNG that ends after its head', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ];
    const person = newPerson();
    for (const [what, bytes] of others) {
      const image = new Blob([bytes], { type: 'image/png' });
      const answer = await api.register(person, (form) => form.set('govt_id_image', image, 'id.png'));
      refused({ what, ...answer }, 422, 'govt_id_image');
    }
    expect(await api.register(person)).toMatchObject({ status: 201 });
  });

  it('[AUTH-029] names each missing or wrong field', async () => {
    for (const field of [
      'name',
      'email',
      'phone_no',
      'city',
      'state',
      'govt_id_type',
      'govt_id_number',
      'govt_id_image',
    ]) {
      refused(await api.register(newPerson(), (form) => form.delete(field)), 422, field);
    }
    const wrong: [string, string | Blob][] = [
      ['email', 'no address'],
      ['email', '"meera nair"@example.org'],
      ['email', 'meera@[127.0.0.1]'],
      ['email', 'root@localhost'],
      ['phone_no', '12345'],
      ['govt_id_type', 'Library card'],
      ['govt_id_number', 'ABCDE12345'],
      ['govt_id_image', new Blob(['no image at all'])],
    ];
    for (const [field, value] of wrong) {
      const answer = await api.register(newPerson(), (form) => form.set(field, value));
      refused({ value, ...answer }, 422, field);
    }
  });

  it('[AUTH-031] accepts an ID image below 10 MB and refuses one of 10 MB without making an account', async () => {
    const image = await idCardPng();
    const largest = 10 * 1024 * 1024 - 1;
    const ofSize = (bytes: number) => new Blob([new Uint8Array(image), new Uint8Array(bytes - image.length)]);
    const person = newPerson();
    const answer = await api.register(person, (form) => form.set('govt_id_image', ofSize(largest + 1)));
    refused(answer, 413, 'govt_id_image');
    const smaller = await api.register(person, (form) => form.set('govt_id_image', ofSize(largest)));
    expect(smaller.status).toBe(201);
  });

  it('refuses a field without visible text, and keeps names on one line without direction marks', async () => {
    for (const [field, value] of [
      ['name', '   '],
      ['name', '\u202e\u2066\t'],
      ['city', ' '],
      ['govt_id_number', '\n'],
      ['name', '\u3164'],
      ['name', 'Meera\u200bNair'],
      ['name', 'Meer\u0430 Nair'],
      ['city', '\u2800'],
      ['state', 'Ker\u00adala'],
    ] as const) {
      const answer = await api.register(newPerson(), (form) => form.set(field, value));
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: field }] } });
    }
    const person = newPerson();
    const given = ' Meera\u202e gnp.exe\n\u2067 اتفاق \u0915\u094d\u200d\u0937\u2069 ';
    expect((await api.register(person, (form) => form.set('name', given))).status).toBe(201);
    const { headers } = await api.signIn(person.phone);
    const { body } = await api.json('GET', '/users/profile', undefined, headers);
    expect(body['name']).toBe('Meera gnp.exe اتفاق \u0915\u094d\u200d\u0937');
    const blank = new FormData();
    blank.append('name', ' \u202d ');
    expect(await api.send('/users/profile', blank, headers, 'PUT')).toMatchObject({ status: 422 });
  });

  it('[AUTH-059] says which of phone and e-mail is taken, also for two simultaneous registrations', async () => {
    const other = newPerson();
    const phone = await api.register({ phone: asha.phone, email: other.email });
    expect(phone).toEqual({
      status: 409,
      body: { code: 'phone_taken', detail: 'This phone number already has an account. Sign in instead.' },
    });
    const email = await api.register({ phone: other.phone, email: asha.email.toUpperCase() });
    expect(email).toEqual({
      status: 409,
      body: { code: 'email_taken', detail: 'This e-mail address already has an account.' },
    });
    const twin = newPerson();
    const both = await Promise.all([api.register(twin), api.register(twin)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([201, 409]);
    // The same address with two phones violates another unique index.
    const [first, second] = [newPerson(), newPerson()];
    const named = await Promise.all(
      [first, second].map(({ phone: own }) => api.register({ phone: own, email: first.email })),
    );
    expect(named.map((answer) => answer.status).sort()).toEqual([201, 409]);
    expect(named.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'email_taken' });
  });

  it('[AUTH-061] is rate-limited', async () => {
    const limited = await startApi('auth-register-limit', { REGISTER_IP_PER_HOUR: '1' });
    try {
      expect((await limited.register(newPerson())).status).toBe(201);
      expect((await limited.register(newPerson())).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  it('keeps the ID number encrypted', async () => {
    const row = await api.service.foundation.db
      .selectFrom('users')
      .select('govt_id_number')
      .where('phone_no', '=', asha.phone)
      .executeTakeFirstOrThrow();
    expect(row.govt_id_number?.toString('latin1')).not.toContain('ABCDE');
  });
});

describe('profile', () => {
  it('[PROFILE-012] changes the fields that are sent and keeps the others', async () => {
    const person = newPerson();
    await api.register(person);
    const { headers } = await api.signIn(person.phone);
    const read = async (): Promise<Record<string, unknown>> => {
      const { body } = await api.json('GET', '/users/profile', undefined, headers);
      return { ...body, govt_id_image: String(body['govt_id_image']).split('?')[0], updated_at: '' };
    };
    const change = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      expect((await api.send('/users/profile', form, headers, 'PUT')).status).toBe(200);
    };
    const before = await read();
    await change({ city: 'Mysuru' });
    expect(await read()).toEqual({ ...before, city: 'Mysuru' });
    const changed = {
      name: 'Meera Menon',
      email: newPerson().email,
      city: 'Hubballi',
      state: 'Karnataka',
      govt_id_type: 'Other',
      govt_id_number: 'KA-2026-117',
    };
    await change(changed);
    expect(await read()).toEqual({ ...before, ...changed });
  });

  it('[PROFILE-013] replaces the ID image and returns its new path', async () => {
    const before = await profile();
    const read = async (path: unknown) => {
      const answer = await fetch(`${api.url}${String(path).replace('/api', '')}`);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const first = await read(before['govt_id_image']);
    const form = new FormData();
    form.append('govt_id_image', new Blob([new Uint8Array(await idCardPng('ANOTHER CARD'))]), 'card.png');
    const answer = await api.send('/users/profile', form, mine.headers, 'PUT');
    expect(answer.status).toBe(200);
    const after = await profile();
    const withoutQuery = (path: unknown) => String(path).split('?')[0];
    expect(withoutQuery(after['govt_id_image'])).not.toBe(withoutQuery(before['govt_id_image']));
    const second = await read(after['govt_id_image']);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.bytes.equals(first.bytes)).toBe(false);
    expect(after).toMatchObject({ name: before['name'], govt_id_number: before['govt_id_number'] });
  });

  it('shows the ID image in the session that requested it until the session ends, and never a replaced image', async () => {
    await api.forgetLimits();
    const here = await api.signIn(asha.phone);
    const image = async (headers: Record<string, string>) => {
      const { body } = await api.json('GET', '/users/profile', undefined, headers);
      return `${api.url}${String(body['govt_id_image']).replace('/api', '')}`;
    };
    const [link, other] = [await image(here.headers), await image(mine.headers)];
    expect([(await fetch(link)).status, (await fetch(other)).status]).toEqual([200, 200]);
    expect((await api.json('POST', '/auth/logout', undefined, here.headers)).status).toBe(200);
    await until('it is over everywhere', async () => (await fetch(link)).status === 401, 1_000);
    // The same user's other session goes on.
    expect((await fetch(other)).status).toBe(200);
    const form = new FormData();
    form.append('govt_id_image', new Blob([new Uint8Array(await idCardPng('NEW CARD'))]), 'card.png');
    await api.send('/users/profile', form, mine.headers, 'PUT');
    expect((await fetch(other)).status).toBe(403);
  });

  it('[PROFILE-014] refuses a malformed value and changes nothing', async () => {
    const before = await profile();
    for (const [field, value] of [
      ['email', 'none'],
      ['govt_id_type', 'x'],
    ] as const) {
      const form = new FormData();
      form.append(field, value);
      form.append('city', 'Nowhere');
      refused(await api.send('/users/profile', form, mine.headers, 'PUT'), 422, field);
    }
    const path = ({ govt_id_image }: Record<string, unknown>) => String(govt_id_image).split('?')[0];
    const after = await profile();
    expect({ ...after, govt_id_image: path(after) }).toEqual({ ...before, govt_id_image: path(before) });
  });
});

describe('the language of a user', () => {
  /** The events about a user, and the answer to another service's request. */
  const events = async (userId: string) => {
    const { db } = api.service.foundation;
    const { rows } = await sql<{ data: unknown }>`
      select data from outbox where aggregate_id = ${userId} order by aggregate_version`.execute(db);
    const { user } = await api.world.ask(authRpc.findUser, { user_id: userId }, 'messaging');
    return { heard: rows.map(({ data }) => data), language: user?.language };
  };

  it('is set by the registration, changes with the profile, and is published to the other services', async () => {
    const person = newPerson();
    await api.register(person, (form) => form.set('language', 'ta'));
    const { headers, body } = await api.signIn(person.phone);
    const read = async () => (await api.json('GET', '/users/profile', undefined, headers)).body['language'];
    expect(await read()).toBe('ta');
    const form = new FormData();
    form.append('language', 'hi');
    expect((await api.send('/users/profile', form, headers, 'PUT')).status).toBe(200);
    expect(await read()).toBe('hi');
    const id = String(body['user_id']);
    expect(await events(id)).toEqual({ heard: [{ user_id: id }, { user_id: id }], language: 'hi' });
  });

  it('is one of the six languages', async () => {
    for (const language of ['fr', 'EN', 'hindi']) {
      const form = new FormData();
      form.append('language', language);
      expect((await api.send('/users/profile', form, mine.headers, 'PUT')).status).toBe(422);
      expect((await api.register(newPerson(), (fields) => fields.set('language', language))).status).toBe(
        422,
      );
    }
  });
});

describe('directory', () => {
  it('[PROFILE-015] [PROFILE-016] [PROFILE-024] shows a user by id with masked contacts, and answers 404 for an unknown id', async () => {
    const [other] = await list(`?search=${vikram.phone}`);
    const id = String(other?.['user_id']);
    const { status, body: user } = await api.json('GET', `/users/${id}`, undefined, mine.headers);
    expect({ status, user }).toMatchObject({
      status: 200,
      user: {
        _id: id,
        user_id: id,
        name: 'विक्रम शाह',
        ...MASKED,
      },
    });
    expect(JSON.stringify(user)).not.toContain(vikram.email);
    expect(JSON.stringify(user)).not.toContain(vikram.phone.slice(3));
    for (const unknown of ['nobody', '0199aaaa-0000-7000-8000-000000000000'])
      refused(await api.json('GET', `/users/${unknown}`, undefined, mine.headers), 404);
  });

  it('answers many simultaneous look-ups of other services, each with its own user', async () => {
    const ids = (await list()).map((user) => String(user['user_id']));
    const requestedIds = [...ids, ...ids, randomUUID(), 'nobody', String(ids[0]).toUpperCase()];
    const answers = await Promise.all(
      requestedIds.map((user_id) => api.world.ask(authRpc.findUser, { user_id }, 'messaging')),
    );
    expect(answers.map(({ user }) => user?.user_id)).toEqual([...ids, ...ids, undefined, undefined, ids[0]]);
  });

  it('[PROFILE-017] [PROFILE-019] lists the caller and people of shared documents in pages of the requested size', async () => {
    const { db } = api.service.foundation;
    const users = await db.selectFrom('users').select('id').where('phone_no', '!=', vikram.phone).execute();
    await putSharedDocument(db, { id: randomUUID(), people: users.map(({ id }) => id), version: 1 });
    const all = (await list()).map((user) => user['user_id']);
    expect(all.length).toBeGreaterThan(2);
    const paged: unknown[] = [];
    for (;;) {
      const page = await list(`?limit=1${paged.length > 0 ? `&cursor=${String(paged.at(-1))}` : ''}`);
      if (page.length === 0) break;
      expect(page).toHaveLength(1);
      paged.push(page[0]?.['user_id']);
    }
    expect(paged).toEqual(all);
  });

  it('[PROFILE-021] masks phone and e-mail of users who share no document with the caller', async () => {
    const [seen] = await list(`?search=${vikram.phone}`);
    expect(seen).toMatchObject({ name: 'विक्रम शाह', ...MASKED });
    const all = JSON.stringify(await list());
    for (const own of [vikram.email, vikram.phone.slice(3)]) expect(all).not.toContain(own);
  });

  it('[PROFILE-020] [PROFILE-023] finds users by words of a name, and by phone and e-mail only when complete', async () => {
    const names = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).map((user) => user['name']);
    expect(await names('asha')).toEqual(['Asha Rao']);
    expect(await names('rao')).toEqual(['Asha Rao']);
    expect(await names(vikram.phone)).toEqual(['विक्रम शाह']);
    expect(await names(vikram.phone.slice(3))).toEqual(['विक्रम शाह']);
    expect(await names(vikram.email)).toEqual([]);
    await sql`UPDATE users SET email_proved_at = now() WHERE email = ${vikram.email}`.execute(
      api.service.foundation.db,
    );
    expect(await names(vikram.email)).toEqual(['विक्रम शाह']);
    for (const part of [vikram.phone.slice(0, 12), vikram.email.slice(0, -1), '%', '_'])
      expect(await names(part)).toEqual([]);
  });

  it('[PROFILE-028] finds a character ID in upper and lower case', async () => {
    const charId = String((await profile())['char_id']);
    for (const typed of [charId, charId.toLowerCase()])
      expect((await list(`?search=${typed}`)).map((user) => user['char_id'])).toEqual([charId]);
  });

  it('[PROFILE-018] needs a user token', async () => {
    for (const [method, path] of [
      ['GET', '/users/profile'],
      ['PUT', '/users/profile'],
      ['GET', '/users/all'],
      ['GET', '/users/x'],
      ['POST', '/auth/logout'],
    ] as const) {
      refused({ path, ...(await api.json(method, path)) }, 401);
    }
  });
});
