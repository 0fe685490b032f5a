import { jest } from '@jest/globals';
import type { Envelope } from '@karaar/contracts/kit';
import { deletionRpc, exportRpc, type ExportItem } from '@karaar/contracts/personal-data';
import { blobConfigFromEnv, createBlobStore, type BlobStore } from '@karaar/storage/blobs';
import { uuidv7 } from '@karaar/db';
import { idCardPng } from '@karaar/testing/faces/faces';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import sharp from 'sharp';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const asha = newPerson();
const vikram = newPerson();
const others = {
  documents: [] as ExportItem[],
  blockers: [] as { code: string; text: string }[],
};

beforeAll(async () => {
  api = await startApi('auth-profile');
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'Vikram Shah'));
  const { world } = api;
  for (const [name, rpc] of Object.entries(exportRpc))
    await world.serve(rpc, () => ({
      items: name === 'documents' ? others.documents : [],
      next_cursor: null,
    }));
  for (const [name, rpc] of Object.entries(deletionRpc))
    await world.serve(rpc, () => ({ blockers: name === 'wallet' ? others.blockers : [] }));
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  Object.assign(others, { documents: [], blockers: [] });
  await api.forgetLimits();
});

const exportedUserIds = async (): Promise<string[]> =>
  (await messagesOf<Envelope<{ user_id: string }>>(api.world.natsUrl, 'EVT_AUTH'))
    .filter(({ type }) => type === 'auth.data.exported')
    .map(({ data }) => data.user_id);
const db = () => api.service.foundation.db;
const get = (path: string, headers: Record<string, string>) => api.json('GET', path, undefined, headers);

function storeOf(SERVICE_NAME: string): BlobStore {
  const { BLOB_DIR = '', BLOB_KEK = '' } = api.world.env;
  return createBlobStore(blobConfigFromEnv({ SERVICE_NAME, BLOB_DIR, BLOB_KEK }));
}
async function storedPaths(): Promise<string[]> {
  const paths = [];
  for await (const { path } of storeOf('auth').list()) paths.push(path);
  return paths;
}

describe('the e-mail', () => {
  it('cannot be changed so often that a user finds out who has an account', async () => {
    const person = newPerson();
    await api.register(person);
    const { headers } = await api.signIn(person.phone);
    const change = (email: string) => {
      const form = new FormData();
      form.set('email', email);
      return api.send('/users/profile', form, headers, 'PUT');
    };
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await change(vikram.email)).body).toMatchObject({ code: 'email_taken' });
      expect((await change(`guess-${nth}@example.org`)).status).toBe(200);
    }
    for (const email of [vikram.email, 'guess-6@example.org'])
      expect(await change(email)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    // A form that sends the address back unchanged is not a change.
    expect((await change('GUESS-4@example.org')).status).toBe(200);
  });
});

describe('ID image and number', () => {
  it('keeps one of the images that are sent at the same moment', async () => {
    const person = newPerson();
    await api.register(person);
    const { headers } = await api.signIn(person.phone);
    const id = String((await get('/users/profile', headers)).body['user_id']);
    const before = await storedPaths();
    const photo = new Uint8Array(await idCardPng());
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => {
        const form = new FormData();
        form.set('govt_id_image', new Blob([photo], { type: 'image/png' }), 'x.png');
        return api.send('/users/profile', form, headers, 'PUT');
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const { govt_id_image: kept } = await db()
      .selectFrom('users')
      .select('govt_id_image')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const after = await storedPaths();
    expect(after).toHaveLength(before.length);
    expect(after).toContain(kept);
  });

  it('lose place and camera, hide all but four digits of an Aadhaar number, and refuse a decompression bomb', async () => {
    const photo = await sharp(await idCardPng())
      .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitude: '12/1 58/1 0/1', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    expect(photo.toString('latin1')).toContain('SecretCam');
    const person = newPerson();
    await api.register(person, (form) => {
      form.set('govt_id_type', 'Aadhar');
      form.set('govt_id_number', '2341 2341 2346');
      form.set('govt_id_image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'x.jpg');
    });
    const { headers } = await api.signIn(person.phone);
    const user = (await get('/users/profile', headers)).body;
    expect(user['govt_id_number']).toBe('XXXX XXXX 2346');
    const stored = await fetch(`${api.url}${String(user['govt_id_image']).replace('/api', '')}`);
    const bytes = Buffer.from(await stored.arrayBuffer());
    expect(bytes.toString('latin1')).not.toContain('SecretCam');
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();

    // The form sends the masked number back: the number stays unchanged.
    const form = new FormData();
    form.append('govt_id_number', 'XXXX XXXX 2346');
    await api.send('/users/profile', form, headers, 'PUT');
    expect((await get('/users/profile', headers)).body['govt_id_number']).toBe('XXXX XXXX 2346');

    const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const before = process.memoryUsage().rss;
    const refused = await api.register(newPerson(), (fields) =>
      fields.set('govt_id_image', new Blob([new Uint8Array(bomb)]), 'bomb.png'),
    );
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('Please select an image file');
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});

describe('a change of the profile', () => {
  const change = (headers: Record<string, string>, fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return api.send('/users/profile', form, headers, 'PUT');
  };

  it('refuses another phone number by its field, and accepts the same one in any spelling', async () => {
    const { headers } = await api.signIn(vikram.phone);
    const refused = await change(headers, { phone_no: newPerson().phone, city: 'Nashik' });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: 'phone_no' }] } });
    const profile = (await get('/users/profile', headers)).body;
    expect(profile).toMatchObject({ phone_no: vikram.phone });
    expect(profile['city']).not.toBe('Nashik');
    expect((await change(headers, { phone_no: vikram.phone.slice(3) })).status).toBe(200);
  });

  it('accepts another kind of ID only with its number: the digits of an Aadhaar stay hidden', async () => {
    const person = newPerson();
    await api.register(person, (form) => {
      form.set('govt_id_type', 'Aadhar');
      form.set('govt_id_number', '2341 2341 2346');
    });
    const { headers } = await api.signIn(person.phone);
    const withoutItsNumber: Record<string, string>[] = [
      { govt_id_type: 'PAN' },
      { govt_id_type: 'PAN', govt_id_number: 'XXXX XXXX 2346' },
    ];
    for (const fields of withoutItsNumber) {
      const refused = await change(headers, fields);
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: 'govt_id_number' }] } });
      expect(JSON.stringify((await get('/users/profile', headers)).body)).not.toContain('2341');
    }
    const unfit = await change(headers, { govt_id_type: 'PAN', govt_id_number: '2341 2341 2346' });
    expect(unfit).toMatchObject({ status: 422, body: { detail: [{ loc: 'govt_id_number' }] } });
    expect(JSON.stringify(unfit.body)).not.toContain('2341');
    const taken = await change(headers, { govt_id_type: 'PAN', govt_id_number: 'ABCDE1234F' });
    expect(taken).toMatchObject({ status: 200, body: { govt_id_type: 'PAN', govt_id_number: 'ABCDE1234F' } });
  });
});

describe('change of phone', () => {
  it('needs the code sent to the new number, informs the old one, and gives a number to one account only', async () => {
    const { headers } = await api.signIn(asha.phone);
    const to = newPerson().phone;
    const ask = (phone: string) => api.json('POST', '/users/profile/phone', { phone_no: phone }, headers);
    const change = (phone: string, otp: string) =>
      api.json('PUT', '/users/profile/phone', { phone_no: phone, otp }, headers);
    const codeTo = api.lastCode;
    const confirm = (by: { phone: string; headers: Record<string, string> }, phone_no: string) =>
      api.confirmAct(by, { action: 'change_phone', phone_no });
    expect((await ask(to)).status).toBe(200);
    // A code for one purpose is refused for another, and another user cannot use it.
    expect((await api.json('POST', '/auth/login', { phone_no: to, otp: codeTo(to) })).status).toBe(400);
    const other = await api.signIn(vikram.phone);
    await confirm({ phone: vikram.phone, headers: other.headers }, to);
    const stolen = await api.json(
      'PUT',
      '/users/profile/phone',
      { phone_no: to, otp: codeTo(to) },
      other.headers,
    );
    expect(stolen.status).toBe(400);
    await confirm({ phone: asha.phone, headers }, to);
    expect((await change(to, codeTo(to))).body).toMatchObject({ phone_no: to });
    expect(api.texts.at(-1)).toMatchObject({
      phone: asha.phone,
      text: expect.stringContaining('another phone'),
    });

    await api.forgetLimits();
    await confirm({ phone: to, headers }, vikram.phone);
    expect((await ask(vikram.phone)).status).toBe(200);
    expect(await change(vikram.phone, codeTo(vikram.phone))).toMatchObject({
      status: 409,
      body: { code: 'phone_taken' },
    });
    asha.phone = to;
  });
});

describe('a user’s own data', () => {
  it('is exported as a ZIP with the data of every service', async () => {
    const { headers } = await api.signIn(asha.phone);
    others.documents = [{ name: 'Rent', document_code: 'ABCD2345', approved: true }];
    const answer = await fetch(`${api.url}/users/profile/export`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Object.keys(files).sort()).toEqual([
      'README.txt',
      'documents.json',
      'id-image.jpg',
      'messages.json',
      'notifications.json',
      'payments.json',
      'profile.json',
      'sessions.json',
      'wallet.json',
    ]);
    const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as unknown;
    const profile = read('profile.json') as { user_id: string };
    expect(profile).toMatchObject({ name: 'Asha Rao', email: asha.email });
    expect(read('documents.json')).toEqual([{ name: 'Rent', document_code: 'ABCD2345', approved: true }]);
    expect((await sharp(files['id-image.jpg']).metadata()).format).toBe('jpeg');
    await until('the export is told', async () =>
      (await exportedUserIds()).includes(String(profile.user_id)),
    );
  });

  it('is erased with the account, once nothing blocks it', async () => {
    const person = newPerson();
    await api.register(person, (form) => form.set('name', 'Farida Unmistakable'));
    const { headers, body } = await api.signIn(person.phone);
    const remove = (confirm: unknown) =>
      api.json('POST', '/users/profile/deletion', { confirm_char_id: confirm }, headers);
    expect((await remove('WRONG123')).status).toBe(400);
    await api.confirmAct({ phone: person.phone, headers }, { action: 'delete_account' });
    others.blockers = [{ code: 'wallet_not_empty', text: 'There is ₹5.00 in your wallet.' }];
    expect((await get('/users/profile/deletion', headers)).body).toMatchObject({
      blockers: [{ code: 'wallet_not_empty' }],
    });
    expect(await remove(body['char_id'])).toMatchObject({
      status: 409,
      body: { code: 'deletion_blocked', detail: 'There is ₹5.00 in your wallet.' },
    });
    expect((await get('/users/profile', headers)).status).toBe(200);
    others.blockers = [];
    const image = String((await get('/users/profile', headers)).body['govt_id_image']).replace('/api', '');
    expect((await fetch(api.url + image)).status).toBe(200);
    const [, SERVICE_NAME = '', path = ''] = /\/files\/([^/]+)\/([^?]+)/.exec(image) ?? [];
    const store = storeOf(SERVICE_NAME);
    expect(await store.stat(path)).toMatchObject({ mime: 'image/jpeg' });

    expect((await remove(String(body['char_id']).toLowerCase())).status).toBe(200);
    await until('seen', async () => (await get('/users/profile', headers)).status === 401, 1_000);
    expect((await fetch(api.url + image)).status).toBe(401);
    await expect(store.stat(path)).rejects.toMatchObject({ code: 'blob_not_found' });
    const tables = [
      'users',
      'sessions',
      'otp_challenges',
      'otp_sends',
      'limit_counts',
      'outbox',
      'deleted_users',
    ];
    for (const table of tables) {
      const { rows } = await sql<{ text: string }>`SELECT t::text AS text FROM ${sql.table(table)} t`.execute(
        db(),
      );
      const text = rows.map((row) => row.text).join('\n');
      for (const value of ['Farida', person.email, person.phone.slice(3)])
        expect({ table, value, found: text.includes(value) }).toEqual({ table, value, found: false });
    }
    // Number and address are free again; the 8-character ID is never given out again.
    await api.forgetLimits();
    expect((await api.register(person)).status).toBe(201);
    await expect(
      sql`INSERT INTO deleted_users (id, char_id) VALUES (${uuidv7()}, ${String(body['char_id'])})`.execute(
        db(),
      ),
    ).rejects.toThrow('duplicate');
  });
});
