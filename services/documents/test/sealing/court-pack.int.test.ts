import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { parseKey } from '@karaar/proof/log/note';
import { checkPack } from '@karaar/proof/pack';
import type { WorldUser } from '@karaar/testing/service-world';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { approvedBy } from '../approved.ts';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(180_000);

const REASON = 'The tenant disputes the rent of March';
let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let id: string;
let code: string;

/** Retries until the sealed file is in the log. */
async function pack(user: WorldUser | undefined, documentId = id, body: unknown = { reason: REASON }) {
  const response = await fetch(`${api.url}/documents/${documentId}/court-pack`, {
    method: 'POST',
    headers: { ...user?.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}
const filesOf = (bytes: Uint8Array): Record<string, Uint8Array> => unzipSync(bytes);
/** The text of a page without its fonts and styles. */
const bodyOf = (file: Uint8Array | undefined): string => text(file).split('<body>')[1] ?? '';
const text = (file: Uint8Array | undefined): string => strFromU8(file ?? new Uint8Array());

beforeAll(async () => {
  api = await startApi('documents-court-pack');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
  id = await approvedBy(api, owner, guest);
  code = String((await api.call(owner, 'GET', `/documents/${id}`)).body['document_code']);
  expect((await pack(owner)).status).toBe(409);
  await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  for (;;) {
    const { status } = await api.call(owner, 'GET', `/documents/${id}/log-proof`);
    if (status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});
afterAll(() => api.stop());

it('can be verified by an outsider with the published key of the log', async () => {
  const { status, headers, bytes } = await pack(guest);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/zip');
  expect(headers.get('content-disposition')).toContain(`${code}-court-pack.zip`);
  const keys = await (await fetch(`${api.url}/log/keys`)).json();
  const finding = await checkPack(bytes, parseKey((keys as { log: string }).log));
  expect(finding.files.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(finding.valid).toBe(true);
  expect(finding.list?.code).toBe(code);
});

it('gives each party the user’s own photos, and only hashes of the others’ photos', async () => {
  const files = filesOf((await pack(guest)).bytes);
  expect(
    Object.keys(files)
      .filter((name) => name.startsWith('evidence/'))
      .sort(),
  ).toEqual([
    'evidence/my-eye-photo.jpg',
    'evidence/my-face-photo.jpg',
    'evidence/my-fingerprint.png',
    'evidence/my-signature.png',
  ]);
  const record = JSON.parse(text(files['record/record.json'])) as {
    parties: { name: string; images: Record<string, string | null>; approvals: { statement: string }[] }[];
  };
  expect(record.parties.map(({ name }) => name)).toEqual(['Asha Rao', 'Vikram Shah']);
  for (const { images, approvals } of record.parties) {
    expect(images['face_sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(approvals.at(-1)?.statement ?? '')).toMatchObject({ type: 'karaar.approval' });
  }
  const owners = filesOf((await pack(owner)).bytes);
  expect(owners['evidence/my-fingerprint.png']).toBeUndefined();
});

it('contains a history in which each line is chained to the previous one', async () => {
  const files = filesOf((await pack(owner)).bytes);
  const { history } = JSON.parse(text(files['record/record.json'])) as {
    history: { lines: { text: string; chain: string }[] };
  };
  const timeline = bodyOf(files['record/timeline.html']);
  let chain = '0'.repeat(64);
  for (const line of history.lines) {
    chain = createHash('sha256').update(`${chain}\n${line.text}`).digest('hex');
    expect(line.chain).toBe(chain);
    expect(timeline).toContain(chain);
  }
  expect(history.lines.length).toBeGreaterThan(4);
});

it('drafts the certificate in both languages, and leaves blank what only a person can state', async () => {
  const files = filesOf((await pack(guest)).bytes);
  const sealed = (await api.call(guest, 'GET', `/documents/${id}/log-proof`)).body['sha256'] as string;
  const english = bodyOf(files['certificate/section-63-4-draft-en.html']);
  const hindi = bodyOf(files['certificate/section-63-4-draft-hi.html']);
  for (const page of [english, hindi]) {
    expect(page).toContain(sealed);
    expect(page).toContain(code);
    expect(page).toContain('Vikram Shah');
    expect(page).not.toContain('checked');
    expect(page).not.toMatch(/\{\w+|undefined/);
    expect(page.match(/class="open"/g)?.length).toBeGreaterThan(20);
  }
  expect(english).toContain('Check its form against the Schedule');
  expect(english).toContain('Part A (to be filled in by the party)');
  expect(english).toContain('Part B (to be filled in by the expert)');
  expect(hindi).toContain('भाग क');
  expect(hindi).toContain('भाग ख');
  expect(bodyOf(files['certificate/hash-report.html'])).toContain(sealed);
});

it('records who downloaded it and why, and shows this to no other party', async () => {
  const before = (await api.call(owner, 'GET', `/documents/${id}/events`)).body;
  await pack(guest, id, { reason: '  A second dispute, about the deposit  ' });
  const rows = await api.service.foundation.db
    .selectFrom('court_packs')
    .select(['user_id', 'document_id', 'reason'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute();
  expect(rows).toEqual([
    { user_id: guest.userId, document_id: id, reason: 'A second dispute, about the deposit' },
  ]);
  expect((await api.call(owner, 'GET', `/documents/${id}/events`)).body).toEqual(before);
});

describe('for an admin', () => {
  type Given = { reason?: string; order?: string };
  const adminPack = async (
    admin: { headers: Record<string, string> },
    given: Given = {},
    documentId = id,
  ) => {
    const response = await fetch(`${api.url}/admin/documents/${documentId}/court-pack`, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'Notice of the District Court, Pune', ...given }),
    });
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  const acts = async () => {
    const { rows } = await sql<{ data: Record<string, string> }>`
      SELECT data FROM outbox WHERE type = 'documents.admin.acted' ORDER BY id`.execute(
      api.service.foundation.db,
    );
    return rows.map(({ data }) => data);
  };

  it('contains the record alone: hashes instead of files and photos', async () => {
    const boss = await api.world.addAdmin();
    const { status, bytes } = await adminPack(boss);
    expect(status).toBe(200);
    const files = filesOf(bytes);
    const names = Object.keys(files);
    expect(names.filter((name) => /^(agreement|uploads|evidence)/.test(name))).toEqual([]);
    const record = JSON.parse(text(files['record/record.json'])) as {
      document: { sealed_pdf_sha256: string };
      parties: { images: Record<string, string> }[];
    };
    expect(record.document.sealed_pdf_sha256).toMatch(/^[0-9a-f]{64}$/);
    for (const { images } of record.parties) expect(images['face_sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(text(files['READ-ME.txt'])).toContain('photos and signatures are masked');
    const draft = bodyOf(files['certificate/section-63-4-draft-en.html']);
    expect(draft).toMatch(/I, <input class="open"/);
    const keys = (await (await fetch(`${api.url}/log/keys`)).json()) as { log: string };
    expect((await checkPack(bytes, parseKey(keys.log))).valid).toBe(true);
  });

  it('contains files and photos of all parties under an order, and the audit log records both', async () => {
    const boss = await api.world.addAdmin();
    const { status, bytes } = await adminPack(boss, { order: 'Order 12/2026, District Court, Pune' });
    expect(status).toBe(200);
    const names = Object.keys(filesOf(bytes));
    expect(names).toContain(`agreement-${code}.pdf`);
    for (const { charId } of [owner, guest]) expect(names).toContain(`evidence/${charId}-face-photo.jpg`);
    expect((await acts()).at(-1)).toMatchObject({
      admin_id: boss.adminId,
      action: 'court-pack.taken',
      target_id: id,
      target: `${code}, files and photos by order: Order 12/2026, District Court, Pune`,
      reason: 'Notice of the District Court, Pune',
    });
  });

  it('is recorded with texts that are longer in NFC than as they were typed', async () => {
    const boss = await api.world.addAdmin();
    const letters = (count: number) => '\u0958'.repeat(count);
    expect((await adminPack(boss, { reason: letters(500), order: letters(120) })).status).toBe(200);
    const act = (await acts()).at(-1);
    expect(act?.['reason']).toBe(letters(500).normalize('NFC'));
    expect(act?.['target']).toContain(letters(120).normalize('NFC'));
  });

  it('is refused and not recorded without a reason, with an empty order, and for other callers', async () => {
    const boss = await api.world.addAdmin();
    const before = (await acts()).length;
    expect((await adminPack(boss, { reason: ' '.repeat(20) })).status).toBe(422);
    expect((await adminPack(boss, { order: ' '.repeat(10) })).status).toBe(422);
    expect((await adminPack(boss, {}, '01a20dd2-5423-75d2-a10b-34fe2b6fad11')).status).toBe(404);
    expect((await adminPack(boss, {}, (await api.create(owner)).id)).status).toBe(409);
    const [support, editor] = await Promise.all(
      (['support', 'editor'] as const).map(async (role) => ({ headers: await api.world.adminHeaders(role) })),
    );
    if (!support || !editor) throw new Error('no admins');
    for (const other of [support, editor, owner, stranger]) expect((await adminPack(other)).status).toBe(403);
    expect((await adminPack({ headers: {} })).status).toBe(401);
    expect((await acts()).length).toBe(before);
  });
});

it.each([
  ['no token', () => pack(undefined), 401],
  ['a stranger', () => pack(stranger), 403],
  ['no such document', () => pack(owner, '01a20dd2-5423-75d2-a10b-34fe2b6fad11'), 404],
  ['no reason', () => pack(owner, id, {}), 422],
  ['a reason of spaces', () => pack(owner, id, { reason: ' '.repeat(20) }), 422],
] as const)('refuses %s', async (_, ask, status) => {
  expect((await ask()).status).toBe(status);
});

it('is refused to a user who has asked to join and was not admitted', async () => {
  const other = await api.create(owner);
  const form = await verificationForm({ document_code: other.code });
  await api.send(stranger, '/documents/join', form);
  expect((await pack(stranger, other.id)).status).toBe(403);
});
