import { randomUUID } from 'node:crypto';
import type { AdminDocument, AdminDocumentDetail } from '@karaar/contracts/documents/http';
import type { AdminRole } from '@karaar/contracts/kit';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, type Answer, type Api } from './api.ts';

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
const documents: { id: string; code: string; name: string }[] = [];

const as = async (role: AdminRole = 'super-admin'): Promise<WorldUser> => ({
  userId: '',
  charId: '',
  name: '',
  token: '',
  headers: await api.world.adminHeaders(role),
});
const get = async (path: string, role?: AdminRole): Promise<Answer> => api.call(await as(role), 'GET', path);
const page = async (query: string) => {
  const { status, body } = await get(`/admin/documents/page?${query}`);
  expect([status, query]).toEqual([200, query]);
  return body as { items: AdminDocument[]; next_cursor: string | null };
};
const names = async (query: string) => (await page(query)).items.map(({ name }) => name);

const acts = async () => {
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    SELECT data FROM outbox WHERE type = 'documents.admin.acted' ORDER BY id`.execute(
    api.service.foundation.db,
  );
  return rows.map(({ data }) => data);
};

beforeAll(async () => {
  api = await startApi('documents-admin');
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
  for (const [owner, name, location] of [
    [asha, 'Rent, Kothrud', 'Pune'],
    [asha, 'Lease of a shop', 'Nashik'],
    [vikram, '=1+1', ''],
  ] as const)
    documents.push({
      ...(await api.create(owner, (form) => {
        form.set('name', name);
        form.set('location', location);
      })),
      name,
    });
  await sql`UPDATE documents SET created_at = '2026-03-01T18:29:00Z' WHERE id = ${documents[0]?.id}`.execute(
    api.service.foundation.db,
  );
  await sql`UPDATE documents SET status = 'rejected' WHERE id = ${documents[1]?.id}`.execute(
    api.service.foundation.db,
  );
}, 120_000);
afterAll(() => api.stop());

describe('the admins’ list of documents', () => {
  it('[ADMIN-019] contains every user’s documents, without links to files', async () => {
    const { status, body } = await get('/admin/documents');
    const list = listIn<AdminDocument>(body);
    expect(status).toBe(200);
    expect(list.map(({ document_id }) => document_id)).toEqual([
      documents[2]?.id,
      documents[1]?.id,
      documents[0]?.id,
    ]);
    expect(list[2]).toMatchObject({
      name: 'Rent, Kothrud',
      document_code: documents[0]?.code,
      status: 'pending',
      primary_user: asha.userId,
      involved_users: [asha.userId],
      upload_raw_docs: ['rent.pdf'],
      raw_files: [{ name: 'rent.pdf', mime: 'application/pdf' }],
    });
    expect(JSON.stringify(list)).not.toContain('/files/');
    const first = await fetch(`${api.url}/admin/documents?limit=1`, { headers: (await as()).headers });
    const cursor = first.headers.get('x-next-cursor') ?? '';
    expect(await names(`limit=1&cursor=${cursor}`)).toEqual(['Lease of a shop']);
  });

  it('can be filtered by status, day and search, sorted and paged', async () => {
    expect(await names('status=rejected')).toEqual(['Lease of a shop']);
    expect(await names('status=draft')).toEqual([]);
    expect(await names('from=2026-03-01&to=2026-03-01')).toEqual(['Rent, Kothrud']);
    expect(await names('to=2026-02-28')).toEqual([]);
    expect(await names('search=kothr')).toEqual(['Rent, Kothrud']);
    expect(await names('search=NASH')).toEqual(['Lease of a shop']);
    expect(await names(`search=${String(documents[1]?.code).toLowerCase()}`)).toEqual(['Lease of a shop']);
    expect(await names(`search=${vikram.charId}`)).toEqual(['=1+1']);
    expect(await names(`search=${documents[0]?.id ?? ''}`)).toEqual(['Rent, Kothrud']);
    expect(await names('sort=name')).toEqual(['=1+1', 'Lease of a shop', 'Rent, Kothrud']);
    expect(await names('sort=oldest')).toEqual(['Rent, Kothrud', 'Lease of a shop', '=1+1']);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next = await page(`sort=-name&limit=1&cursor=${cursor}`);
      seen.push(...next.items.map(({ name }) => name));
      cursor = next.next_cursor;
    }
    expect(seen).toEqual(['Rent, Kothrud', 'Lease of a shop', '=1+1']);
    for (const query of ['cursor=x', 'from=2026-02-30', 'status=lost', 'limit=999'])
      expect([400, 422]).toContain((await get(`/admin/documents/page?${query}`)).status);
  });

  it('can be counted by status and by day in India', async () => {
    const { body } = await get('/admin/documents/counts?days=366');
    expect(body).toMatchObject({ total: 3, pending: 2, rejected: 1, approved: 0, finalized: 0 });
    expect(body['by_day']).toContainEqual({ day: '2026-03-01', status: 'pending', count: 1 });
  });

  it('can be exported as CSV without formulas, and the audit log records it', async () => {
    const answer = await fetch(`${api.url}/admin/documents/export?sort=name`, {
      headers: (await as()).headers,
    });
    expect(answer.headers.get('content-disposition')).toMatch(/attachment; filename="karaar-documents-/);
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^'=1\+1,/);
    expect(lines[3]).toMatch(/^"Rent, Kothrud",[0-9A-Z]{8},pending,Asha Rao,1,1,Pune,/);
    expect((await acts()).at(-1)).toMatchObject({ action: 'documents.exported' });
    const actCount = (await acts()).length;
    expect((await get('/admin/documents/export?from=2026-02-30')).status).toBe(422);
    expect(await acts()).toHaveLength(actCount);
  });
});

describe('one document', () => {
  it('[ADMIN-020] is shown with its parties, history and file names to an admin who is not a party', async () => {
    const { status, body } = await get(`/admin/documents/${documents[0]?.id ?? ''}`, 'support');
    const shown = body as AdminDocumentDetail;
    expect(status).toBe(200);
    expect(shown).toMatchObject({
      document_id: documents[0]?.id,
      parties: [{ name: 'Asha Rao', char_id: asha.charId, images: ['profile_pic', 'eye', 'sign'] }],
      raw_files: [{ name: 'rent.pdf' }],
      paid: false,
      log: null,
    });
    expect(shown.events.map(({ type }) => type)).toContain('document.created');
    expect(shown.parties[0]?.phone_no).toMatch(/^\+91/);
    expect(JSON.stringify(shown)).not.toContain('/files/');
  });

  it('[ADMIN-021] responds 404 with a text for an unknown id', async () => {
    for (const id of [randomUUID(), 'x1']) {
      refused(await get(`/admin/documents/${id}`), 404);
    }
  });
});

describe('images of a verification', () => {
  const open = async (body: object, role?: AdminRole, id = documents[0]?.id ?? '') =>
    fetch(`${api.url}/admin/documents/${id}/biometrics`, {
      method: 'POST',
      headers: { ...(await as(role)).headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const reason = 'Police request 4711 of 20 November';
  const eye = () => ({ user_id: asha.userId, kind: 'eye', reason });

  it('are opened one by one, after the audit log has recorded the reason', async () => {
    const answer = await open(eye());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^image\//);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect((await acts()).at(-1)).toMatchObject({
      action: 'biometrics.opened',
      target_id: documents[0]?.id,
      target: `${documents[0]?.code ?? ''} ${asha.charId} eye`,
      reason,
    });
  });

  it('are refused to support, without a reason, and if the party has no such image; nothing is logged then', async () => {
    const before = (await acts()).length;
    expect((await open(eye(), 'support')).status).toBe(403);
    expect((await open({ ...eye(), reason: 'because' })).status).toBe(422);
    expect((await open({ ...eye(), kind: 'thumb' })).status).toBe(404);
    expect((await open({ ...eye(), user_id: vikram.userId })).status).toBe(404);
    expect((await open(eye(), undefined, randomUUID())).status).toBe(404);
    expect(await acts()).toHaveLength(before);
  });
});

it('records an admin’s change of the rate, and of who may change it, once in the audit log', async () => {
  const admin = await as();
  await api.call(admin, 'POST', '/admin/pricing', { daily_rate: 2.5 });
  for (const _twice of [1, 2])
    await api.call(admin, 'PUT', '/admin/pricing/user-editing', { enabled: false });
  expect((await acts()).slice(-2)).toMatchObject([
    { action: 'pricing.changed', target: '₹2.50' },
    { action: 'pricing.user-editing', target: 'off' },
  ]);
  expect((await acts()).filter(({ action }) => action === 'pricing.user-editing')).toHaveLength(1);
});

describe('the sealing certificate', () => {
  it('shows super-admins and support the owner, expiry and strength of the certificate, and refuses other callers', async () => {
    for (const role of ['super-admin', 'support'] as const) {
      const { status, body } = await get('/admin/seal', role);
      expect(status).toBe(200);
      expect(body).toMatchObject({ signer: 'Karaar development seal', ends_soon: false, level: 'B-B' });
      expect(body['days_left']).toBeGreaterThan(700);
      expect(new Date(String(body['not_after'])).getTime()).toBeGreaterThan(Date.now());
    }
    expect((await get('/admin/seal', 'editor')).status).toBe(403);
    expect((await api.call(asha, 'GET', '/admin/seal')).status).toBe(403);
    expect((await api.call(undefined, 'GET', '/admin/seal')).status).toBe(401);
  });
});
