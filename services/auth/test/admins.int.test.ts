import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { adminActs } from '@karaar/contracts/admin';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { uuidv7 } from '@karaar/db';
import { listIn } from '@karaar/testing/list-in';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const asha = newPerson();
const vikram = newPerson();

beforeAll(async () => {
  api = await startApi('auth-admins', { SEED_DEMO: 'true' });
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'Vikram Shah'));
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => api.forgetLimits());

const db = () => api.service.foundation.db;
const get = (path: string, headers: Record<string, string>) => api.json('GET', path, undefined, headers);
const adminLogin = (body: unknown) => api.json('POST', '/admin/login', body);
const right = { username: 'admin', password: 'karaar-admin' };
const admin = async (role?: string) => {
  if (role)
    await db()
      .updateTable('admins')
      .set({ role: role as 'editor' })
      .execute();
  return { authorization: `Bearer ${String((await adminLogin(right)).body['token'])}` };
};

describe('deactivation', () => {
  it('[AUTH-065] ends the sessions within a second, refuses sign-in, is recorded in the audit log, and can be reversed', async () => {
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
    const trail = await db()
      .selectFrom('admin_audit')
      .select(['action', 'reason'])
      .where('action', 'like', 'user.%')
      .execute();
    expect(trail).toEqual([{ action: 'user.deactivated', reason: 'Reported' }]);
    await expect(sql`UPDATE admin_audit SET reason = ''`.execute(db())).rejects.toThrow('permission denied');
    await expect(api.world.asOwner(`UPDATE admin_audit SET reason = ''`)).rejects.toThrow('never changed');
    expect((await api.json('POST', `${path}/reactivate`, {}, asAdmin)).status).toBe(200);
    await api.forgetLimits();
    await api.signIn(vikram.phone);
    expect((await api.json('POST', '/admin/users/nobody/deactivate', {}, asAdmin)).status).toBe(404);
  });
});

describe('admins and users', () => {
  it('[ADMIN-018] list users by page and find them; an editor may only edit pages', async () => {
    const asAdmin = await admin();
    const users = async (query = '') =>
      listIn<Record<string, unknown>>((await get(`/admin/users${query}`, asAdmin)).body);
    const all = await users();
    const theirs = await api.signIn(vikram.phone);
    const own = (await get('/users/profile', theirs.headers)).body;
    // The demo users are older.
    expect(all.slice(0, 2).map((user) => user['email'])).toEqual([vikram.email, asha.email]);
    expect(all[0]).toMatchObject({
      name: 'Vikram Shah',
      email: vikram.email,
      phone_no: vikram.phone,
      char_id: theirs.body['char_id'],
      created_at: own['created_at'],
    });
    const first = (await get('/admin/users/page?limit=1', asAdmin)).body;
    const next = await users(`?limit=1&cursor=${String(first['next_cursor'])}`);
    expect(next[0]?.['_id']).toBe(all[1]?.['_id']);
    expect((await get('/admin/users?cursor=x', asAdmin)).body).toMatchObject({ code: 'bad_cursor' });
    expect((await users(`?search=${vikram.phone.slice(3)}`)).map((user) => user['name'])).toEqual([
      'Vikram Shah',
    ]);
    expect(await users('?status=inactive')).toEqual([]);
    const asEditor = await admin('editor');
    expect((await get('/admin/users', asEditor)).body).toMatchObject({ code: 'role_forbidden' });
    await admin('super-admin');
  });

  it('[ADMIN-017] have no user record, and a user cannot become an admin: is_admin stays false whatever is sent', async () => {
    const asAdmin = await admin();
    expect(await get('/users/profile', asAdmin)).toMatchObject({
      status: 403,
      body: { code: 'wrong_audience' },
    });
    const { headers } = await api.signIn(asha.phone);
    const form = new FormData();
    form.append('is_admin', 'true');
    form.append('city', 'Nashik');
    await api.send('/users/profile', form, headers, 'PUT');
    expect((await get('/users/profile', headers)).body).toMatchObject({ name: 'Asha Rao', is_admin: false });
    expect(await get('/admin/users', headers)).toMatchObject({ status: 403 });
  });

  it('leave an audit log of all services for super-admins, which also records its exports', async () => {
    const asAdmin = await admin();
    const { admin_id } = (await get('/admin/me', asAdmin)).body;
    const at = '2026-03-01T18:29:00.000Z';
    const act = { admin_id: String(admin_id), target_id: 'order_1', target: '₹5.00', at };
    const acted = (audit_id: string, action: string, reason: string) => ({
      ...act,
      audit_id,
      action,
      reason,
    });
    const id = uuidv7();
    for (const _twice of [1, 2])
      await api.world.publish(adminActs.wallet, acted(id, 'refund.made', 'Paid twice'));
    await api.world.publish(adminActs.documents, acted(uuidv7(), 'biometrics.opened', 'Police request'));
    const page = async (query: string) => {
      const { body } = await get(`/admin/audit?${query}`, asAdmin);
      return body as { items: Record<string, unknown>[]; next_cursor: string | null };
    };
    await until('kept', async () => (await page('search=order_1')).items.length === 2);
    expect((await page('action=refund')).items).toMatchObject([
      { action: 'refund.made', admin_name: right.username, reason: 'Paid twice', target: '₹5.00', at },
    ]);
    expect((await page('action=biometrics.opened')).items).toHaveLength(1);
    expect((await page('from=2026-03-01&to=2026-03-01')).items).toHaveLength(2);
    expect((await page('from=2026-03-02&to=2026-03-03')).items).toEqual([]);
    expect((await page('search=nobody')).items).toEqual([]);
    expect((await page(`search=${right.username}&limit=1`)).next_cursor).not.toBeNull();
    const csv = await fetch(`${api.url}/admin/audit/export?action=refund`, { headers: asAdmin });
    expect(await csv.text()).toContain('refund.made,₹5.00,order_1,Paid twice');
    expect((await page('action=audit')).items).toMatchObject([
      { action: 'audit.exported', target: 'action=refund' },
    ]);
    expect((await page('action=admin.signed-in')).items.length).toBeGreaterThan(0);
    const asSupport = await admin('support');
    expect((await get('/admin/audit', asSupport)).body).toMatchObject({ code: 'role_forbidden' });
    await admin('super-admin');
  });

  it('count registrations per day and export the list', async () => {
    const asAdmin = await admin();
    const { body } = await get('/admin/users/counts', asAdmin);
    const days = body['by_day'] as { count: number }[];
    expect(body['total']).toBe(days.reduce((sum, { count }) => sum + count, 0));
    expect(Number(body['total'])).toBeGreaterThan(2);
    const csv = await fetch(`${api.url}/admin/users/export?search=vikram&sort=name`, { headers: asAdmin });
    expect(await csv.text()).toContain(`Vikram Shah,${vikram.email},'${vikram.phone},`);
    const { body: found } = await get('/admin/users/page?search=VIKRAM&status=active', asAdmin);
    expect(found['items']).toContainEqual(expect.objectContaining({ email: vikram.email, is_active: true }));
  });

  it('[ADMIN-034] may set up a second factor, which is required from its first code on', async () => {
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
    // The code that confirmed the setup is used up.
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

describe('the names of admins for other services', () => {
  it("are returned by the admin's id only", async () => {
    const { id } = await db().selectFrom('admins').select('id').executeTakeFirstOrThrow();
    const ask = (admin_id: string) => api.world.ask(authRpc.findAdmin, { admin_id }, 'cms');
    expect(await ask(id)).toEqual({ admin: { username: right.username } });
    for (const other of [randomUUID(), 'nobody', '']) expect(await ask(other)).toEqual({ admin: null });
  });
});
