/** Sessions, phone, directory, export, deletion, admins: as callers meet them. */
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { deletionRpc, exportRpc, type ExportItem } from '@karaar/contracts/personal-data';
import { inTransaction, uuidv7 } from '@karaar/platform/db-kit';
import { idCardPng } from '@karaar/testing/faces';
import { until } from '@karaar/testing/until';
import { strFromU8, unzipSync } from 'fflate';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { generate } from 'otplib';
import sharp from 'sharp';
import { createSecretBox } from '../src/features/accounts/secret-box.ts';
import { createTokenKeys } from '../src/features/sessions/token-keys.ts';
import { secretsOf } from '../src/secrets.ts';
import { rebuildSharedDocuments } from '../src/features/directory/directory.service.ts';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
/** What documents, wallet, payments and messaging would answer. */
const others = {
  documents: [] as ExportItem[],
  blockers: [] as { code: string; text: string }[],
  people: [] as { document_id: string; people: string[]; version: number }[],
};
const asha = newPerson();
const vikram = newPerson();

beforeAll(async () => {
  api = await startApi('auth-identity', { SEED_DEMO: 'true', CONTACT_SEARCHES_PER_HOUR: '5' });
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'Vikram Shah'));
  const { bus } = api.service.foundation;
  for (const [name, rpc] of Object.entries(exportRpc))
    await bus.serve(rpc, async () => ({
      items: name === 'documents' ? others.documents : [],
      next_cursor: null,
    }));
  for (const [name, rpc] of Object.entries(deletionRpc))
    await bus.serve(rpc, async () => ({ blockers: name === 'wallet' ? others.blockers : [] }));
  await bus.serve(documentsRpc.people, async () => ({ documents: others.people, next: null }));
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  Object.assign(others, { documents: [], blockers: [], people: [] });
  await api.forgetLimits();
});

const db = () => api.service.foundation.db;
const get = (path: string, headers: Record<string, string>) => api.json('GET', path, undefined, headers);
const bearerOf = (body: Record<string, unknown>) => ({ authorization: `Bearer ${String(body['token'])}` });
const adminLogin = (body: unknown) => api.json('POST', '/admin/login', body);
const right = { username: 'admin', password: 'karaar-admin' };
const admin = async (role?: string) => {
  if (role)
    await db()
      .updateTable('admins')
      .set({ role: role as 'editor' })
      .execute();
  return bearerOf((await adminLogin(right)).body);
};

/** The keys as another process (the command line) has them. */
const otherProcess = () =>
  createTokenKeys(db(), createSecretBox(secretsOf({ AUTH_SECRET: api.authSecret }).signingKeyKey));

describe('sessions', () => {
  it('are listed with device and half an address, ended one by one or all at once, and nobody else sees them', async () => {
    const first = await api.signIn(asha.phone);
    await sql`UPDATE otp_sends SET at = at - interval '31 seconds'`.execute(db());
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
    const login = await api.json(
      'POST',
      '/auth/login',
      { phone_no: asha.phone, otp: await api.codeFor(asha.phone) },
      { 'user-agent': phone },
    );
    const second = { authorization: `Bearer ${String(login.body['access_token'])}` };
    const list = (await get('/auth/sessions', second)).body as unknown as Record<string, unknown>[];
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({ device: 'Chrome on Android', network: '127.0.x.x', is_current: true });
    expect(list[1]).toMatchObject({ is_current: false });

    const stranger = await api.signIn(vikram.phone);
    const theirs = await api.json(
      'DELETE',
      `/auth/sessions/${String(list[1]?.['_id'])}`,
      undefined,
      stranger.headers,
    );
    expect(theirs.status).toBe(404);
    expect((await get('/users/profile', first.headers)).status).toBe(200);

    const ended = await api.json('DELETE', `/auth/sessions/${String(list[1]?.['_id'])}`, undefined, second);
    expect(ended.status).toBe(200);
    await until('seen', async () => (await get('/users/profile', first.headers)).status === 401, 1_000);
    expect((await get('/users/profile', second)).status).toBe(200);

    expect((await api.json('DELETE', '/auth/sessions', undefined, second)).body).toMatchObject({ ended: 1 });
    await until('seen', async () => (await get('/users/profile', second)).status === 401, 1_000);
    expect((await get('/users/profile', stranger.headers)).status).toBe(200);
  });

  it('keep "sign out everywhere else" to the others', async () => {
    const { headers } = await api.signIn(asha.phone);
    const answer = await api.json('DELETE', '/auth/sessions?except_current=true', undefined, headers);
    expect(answer.status).toBe(200);
    expect((await get('/users/profile', headers)).status).toBe(200);
  });
});

describe('[AUTH-065] deactivation', () => {
  it('ends the sessions within a second, refuses sign-in, leaves a trail, and is taken back', async () => {
    const { headers, body } = await api.signIn(vikram.phone);
    const asAdmin = await admin();
    const path = `/admin/users/${String(body['user_id'])}`;
    for (const _twice of [1, 2]) {
      const answer = await api.json('POST', `${path}/deactivate`, { reason: 'Reported' }, asAdmin);
      expect(answer).toMatchObject({ status: 200, body: { status: 'inactive', is_active: false } });
    }
    await until('seen', async () => (await get('/users/profile', headers)).status === 401, 1_000);
    await api.forgetLimits();
    const refused = await api.json('POST', '/auth/login', {
      phone_no: vikram.phone,
      otp: await api.codeFor(vikram.phone),
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'deactivated' } });
    const trail = await db().selectFrom('admin_audit').select(['action', 'reason']).execute();
    expect(trail).toEqual([{ action: 'user.deactivated', reason: 'Reported' }]);
    await expect(sql`UPDATE admin_audit SET reason = ''`.execute(db())).rejects.toThrow('never changed');
    expect((await api.json('POST', `${path}/reactivate`, {}, asAdmin)).status).toBe(200);
    await api.forgetLimits();
    await api.signIn(vikram.phone);
    expect((await api.json('POST', '/admin/users/nobody/deactivate', {}, asAdmin)).status).toBe(404);
  });
});

describe('[ADMIN-018] admins and users', () => {
  it('are listed by page and found; an editor looks after pages only', async () => {
    const asAdmin = await admin();
    const users = async (query = '') =>
      (await get(`/admin/users${query}`, asAdmin)).body as unknown as Record<string, unknown>[];
    const all = await users();
    expect(all[0]).toMatchObject({
      name: 'Vikram Shah',
      email: vikram.email,
      phone_no: vikram.phone,
      char_id: expect.any(String),
      created_at: expect.any(String),
    });
    const [first] = await users('?limit=1');
    expect((await users(`?limit=1&cursor=${String(first?.['_id'])}`))[0]?.['_id']).toBe(all[1]?.['_id']);
    expect((await users(`?search=${vikram.phone.slice(3)}`)).map((user) => user['name'])).toEqual([
      'Vikram Shah',
    ]);
    expect(await users('?status=inactive')).toEqual([]);
    const asEditor = await admin('editor');
    expect((await get('/admin/users', asEditor)).body).toMatchObject({ code: 'role_forbidden' });
    await admin('super-admin');
  });

  it('[ADMIN-034] may set up a second factor, which counts from its first code on', async () => {
    const asAdmin = await admin();
    const enroll = (password: string) => api.json('POST', '/admin/totp/enroll', { password }, asAdmin);
    expect((await enroll('wrong')).body).toMatchObject({ code: 'password_wrong' });
    const secret = String((await enroll(right.password)).body['secret']);
    expect((await adminLogin(right)).status).toBe(200);
    const confirmed = await api.json(
      'POST',
      '/admin/totp/confirm',
      { code: await generate({ secret }) },
      asAdmin,
    );
    const codes = confirmed.body['recovery_codes'] as string[];
    expect(new Set(codes).size).toBe(10);
    expect((await get('/admin/me', asAdmin)).body).toMatchObject({
      totp_enabled: true,
      recovery_codes_left: 10,
    });

    expect((await adminLogin(right)).body).toMatchObject({ code: 'totp_required' });
    // The code that confirmed is used up.
    const used = await adminLogin({ ...right, totp: await generate({ secret }) });
    expect(used.body).toMatchObject({ code: 'totp_wrong' });
    const next = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
    expect((await adminLogin({ ...right, totp: next })).status).toBe(200);
    const recovery = String(codes[0]).toLowerCase();
    const once = await Promise.all([1, 2].map(() => adminLogin({ ...right, totp: recovery })));
    expect(once.map(({ status }) => status).sort()).toEqual([200, 401]);
    const row = await db().selectFrom('admins').selectAll().executeTakeFirstOrThrow();
    expect(row.totp_secret?.toString('latin1')).not.toContain(secret);
    await db().updateTable('admins').set({ totp_secret: null }).execute();
  });

  it('end their session by logging out', async () => {
    const asAdmin = await admin();
    expect((await api.json('POST', '/admin/logout', undefined, asAdmin)).status).toBe(200);
    await until('seen', async () => (await get('/admin/me', asAdmin)).status === 401, 1_000);
  });
});

describe('ID image and number', () => {
  it('lose place and camera, hide an Aadhaar but for four digits, and refuse a decompression bomb', async () => {
    const photo = await sharp(await idCardPng())
      .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitude: '12/1 58/1 0/1', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    expect(photo.toString('latin1')).toContain('SecretCam');
    const person = newPerson();
    await api.register(person, (form) => {
      form.set('govt_id_type', 'Aadhar');
      form.set('govt_id_number', '1234 5678 9012');
      form.set('govt_id_image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'x.jpg');
    });
    const { headers } = await api.signIn(person.phone);
    const user = (await get('/users/profile', headers)).body;
    expect(user['govt_id_number']).toBe('XXXX XXXX 9012');
    const stored = await fetch(`${api.url}${String(user['govt_id_image']).replace('/api', '')}`);
    const bytes = Buffer.from(await stored.arrayBuffer());
    expect(bytes.toString('latin1')).not.toContain('SecretCam');
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();

    // What is shown comes back from the form: the number stays what it was.
    const form = new FormData();
    form.append('govt_id_number', 'XXXX XXXX 9012');
    await api.send('/users/profile', form, headers, 'PUT');
    expect((await get('/users/profile', headers)).body['govt_id_number']).toBe('XXXX XXXX 9012');

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

describe('change of phone', () => {
  it('needs the code that was sent to the new number, tells the old one, and keeps one number to one account', async () => {
    const { headers } = await api.signIn(asha.phone);
    const to = newPerson().phone;
    const ask = (phone: string) => api.json('POST', '/users/profile/phone', { phone_no: phone }, headers);
    const change = (phone: string, otp: string) =>
      api.json('PUT', '/users/profile/phone', { phone_no: phone, otp }, headers);
    const codeTo = (phone: string) =>
      /\b[0-9A-Z]{6}\b/.exec(api.texts.findLast((text) => text.phone === phone)?.text ?? '')?.[0] ?? '';
    expect((await ask(to)).status).toBe(200);
    // A code for one thing is no code for another, and another user cannot use it.
    expect((await api.json('POST', '/auth/login', { phone_no: to, otp: codeTo(to) })).status).toBe(400);
    const other = await api.signIn(vikram.phone);
    const stolen = await api.json(
      'PUT',
      '/users/profile/phone',
      { phone_no: to, otp: codeTo(to) },
      other.headers,
    );
    expect(stolen.status).toBe(400);
    expect((await change(to, codeTo(to))).body).toMatchObject({ phone_no: to });
    expect(api.texts.at(-1)).toMatchObject({
      phone: asha.phone,
      text: expect.stringContaining('another phone'),
    });

    await api.forgetLimits();
    expect((await ask(vikram.phone)).status).toBe(200);
    expect(await change(vikram.phone, codeTo(vikram.phone))).toMatchObject({
      status: 409,
      body: { code: 'phone_taken' },
    });
    asha.phone = to;
  });
});

describe('the directory', () => {
  it('[PROFILE-022] [PROFILE-024] shows phone and e-mail to who shares a document, by event and after a rebuild', async () => {
    const mine = await api.signIn(asha.phone);
    const theirs = await api.signIn(vikram.phone);
    const [me, them] = [String(mine.body['user_id']), String(theirs.body['user_id'])];
    const seen = async () => (await get(`/users/${them}`, mine.headers)).body['phone_no'];
    expect(await seen()).toContain('•');

    const documentId = uuidv7();
    await publishAsDocuments(
      { document_id: documentId, status: 'pending', primary_user: me, involved_users: [me, them] },
      2,
    );
    await until('seen', async () => (await seen()) === vikram.phone, 5_000);
    const listed = (await get('/users/all?search=vikram', mine.headers)).body as unknown as Record<
      string,
      unknown
    >[];
    expect(listed.find((user) => user['user_id'] === them)).toMatchObject({ email: vikram.email });
    // An older state that comes late changes nothing; a newer one without the other does.
    await publishAsDocuments(
      { document_id: documentId, status: 'pending', primary_user: me, involved_users: [me] },
      1,
    );
    await publishAsDocuments(
      { document_id: documentId, status: 'pending', primary_user: me, involved_users: [me] },
      3,
    );
    await until('seen', async () => String(await seen()).includes('•'), 5_000);

    await db().deleteFrom('shared_documents').execute();
    others.people = [{ document_id: documentId, people: [me, them], version: 4 }];
    expect(await rebuildSharedDocuments(api.service.foundation)).toBe(1);
    expect(await seen()).toBe(vikram.phone);
  });

  it('limits how many phones and e-mails one may try out', async () => {
    const { headers } = await api.signIn(asha.phone);
    const statuses = [];
    for (let i = 0; i < 6; i += 1)
      statuses.push((await get(`/users/all?search=98000000${10 + i}`, headers)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await get('/users/all?search=vikram', headers)).status).toBe(200);
  });
});

describe('one’s own data', () => {
  it('is exported as a ZIP with what every service keeps', async () => {
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
      'payments.json',
      'profile.json',
      'sessions.json',
      'wallet.json',
    ]);
    const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as unknown;
    expect(read('profile.json')).toMatchObject({ name: 'Asha Rao', email: asha.email });
    expect(read('documents.json')).toEqual([{ name: 'Rent', document_code: 'ABCD2345', approved: true }]);
    expect((await sharp(files['id-image.jpg']).metadata()).format).toBe('jpeg');
  });

  it('goes with the account, once nothing stands against it', async () => {
    const person = newPerson();
    await api.register(person, (form) => form.set('name', 'Farida Unmistakable'));
    const { headers, body } = await api.signIn(person.phone);
    const remove = (confirm: unknown) =>
      api.json('POST', '/users/profile/deletion', { confirm_char_id: confirm }, headers);
    expect((await remove('WRONG123')).status).toBe(400);
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

    expect((await remove(String(body['char_id']).toLowerCase())).status).toBe(200);
    await until('seen', async () => (await get('/users/profile', headers)).status === 401, 1_000);
    expect((await fetch(api.url + image)).status).toBe(404);
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
    // The number and the address are free again; the 8-character ID is nobody's for ever.
    await api.forgetLimits();
    expect((await api.register(person)).status).toBe(201);
    await expect(
      sql`INSERT INTO deleted_users (id, char_id) VALUES (${uuidv7()}, ${String(body['char_id'])})`.execute(
        db(),
      ),
    ).rejects.toThrow('duplicate');
  });
});

describe('signing keys', () => {
  it('rotate without ending a session, and end them all where one has leaked', async () => {
    const { headers, token } = await api.signIn(asha.phone);
    const keys = async () =>
      (await get('/.well-known/jwks.json', {})).body as unknown as { keys: { kid: string }[] };
    const signedBy = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    const [old] = (await keys()).keys;
    const process = await otherProcess();
    const kid = await process.rotate();
    await until('both are published', async () => (await keys()).keys.length === 2, 3_000);
    // Not before everybody can know the new key.
    await api.forgetLimits();
    expect(signedBy((await api.signIn(vikram.phone)).token)).toBe(old?.kid);
    await sql`UPDATE signing_keys SET created_at = created_at - interval '11 seconds'`.execute(db());
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await api.forgetLimits();
    const fresh = await api.signIn(vikram.phone);
    expect(signedBy(fresh.token)).toBe(kid);
    const both = createLocalJWKSet(await keys());
    for (const one of [token, fresh.token]) await jwtVerify(one, both, { issuer: 'karaar' });
    expect((await get('/users/profile', headers)).status).toBe(200);

    // A key that has leaked goes at once, and its tokens with it.
    await process.rotate({ revokeOld: true });
    await until('one is left', async () => (await keys()).keys.length === 1, 3_000);
    const left = createLocalJWKSet(await keys());
    for (const one of [token, fresh.token]) await expect(jwtVerify(one, left)).rejects.toThrow();
    // Sealed: the database alone signs nothing.
    const stored = await db().selectFrom('signing_keys').select('private_key').execute();
    for (const { private_key } of stored) expect(private_key.toString('latin1')).not.toContain('MC4CAQ');
  });
});

/** Tells a fact as the documents service does. */
async function publishAsDocuments(
  data: { document_id: string; status: 'pending'; primary_user: string; involved_users: string[] },
  version: number,
): Promise<void> {
  const { outbox } = api.service.foundation;
  await inTransaction(db(), (tx) =>
    outbox.add(tx, documentsEvents.changed, {
      aggregateId: data.document_id,
      aggregateVersion: version,
      data,
    }),
  );
  outbox.poke();
}
