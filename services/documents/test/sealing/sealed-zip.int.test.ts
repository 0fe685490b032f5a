import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { BlobStore } from '@karaar/storage/blobs';
import type { ServiceWorld, WorldUser } from '@karaar/testing/service-world';
import { strFromU8, unzipSync } from 'fflate';
import { approvedBy } from '../approved.ts';
import { MOST_BYTES } from '../../src/features/sealed-zip/sealed-zip.service.ts';
import { blobsOf, startApi, storeOf, verificationForm, type Api } from '../api.ts';

jest.setTimeout(180_000);

/** The name of all documents here; as a file name it would leave the folder. */
const NAME = '../../किराया: समझौता';
const UNKNOWN = '01a20dd2-5423-75d2-a10b-34fe2b6fad11';

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let ids: string[];
let codes: string[];
let claimed: number | undefined;
let damaged = false;
let opened: string[] = [];

type Caller = { headers: Record<string, string> };
async function zipOf(caller: Caller | undefined, document_ids: unknown) {
  const response = await fetch(`${api.url}/documents/sealed-zip`, {
    method: 'POST',
    headers: { ...caller?.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ document_ids }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
const read = async (path: string) => {
  const response = await fetch(`${api.url}${path}`, { headers: guest.headers });
  return new Uint8Array(await response.arrayBuffer());
};
const refusal = async (caller: Caller | undefined, document_ids: unknown) => {
  const { status, bytes } = await zipOf(caller, document_ids);
  const { code, detail } = JSON.parse(strFromU8(bytes)) as { code: string; detail: unknown };
  return { status, code, detail };
};
const sha256 = (bytes: Uint8Array | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

async function sealed(): Promise<string> {
  const id = await approvedBy(api, owner, guest, (form) => form.set('name', NAME));
  await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  for (;;) {
    const { status } = await api.call(owner, 'GET', `/documents/${id}/log-proof`);
    if (status === 200) return id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

beforeAll(async () => {
  let real: BlobStore | undefined;
  const store = (): BlobStore => {
    if (!real) throw new Error('The store is made with the environment');
    return real;
  };
  const prepare = async ({ env }: ServiceWorld) => {
    real = storeOf(env);
    return {};
  };
  /** The real store, with other sizes and bytes where a test asks for them. */
  const blobs = new Proxy({} as BlobStore, {
    get: (_, name) => {
      if (name === 'stat')
        return async (path: string) => ({
          ...(await store().stat(path)),
          ...(claimed ? { size: claimed } : {}),
        });
      if (name === 'open')
        return (path: string, options?: Parameters<BlobStore['open']>[1]) => {
          opened.push(path);
          return store().open(path, damaged ? { range: { start: 1 } } : options);
        };
      const value: unknown = Reflect.get(store(), name);
      return typeof value === 'function' ? (value.bind(store()) as unknown) : value;
    },
  });
  api = await startApi('documents-sealed-zip', prepare, { blobs });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
  ids = [await sealed(), await sealed()];
  codes = await Promise.all(
    ids.map(async (id) => String((await api.call(owner, 'GET', `/documents/${id}`)).body['document_code'])),
  );
});
afterAll(() => api.stop());
beforeEach(() => {
  [claimed, damaged, opened] = [undefined, false, []];
});

it('contains the stored PDFs byte for byte and a receipt for each, under unique and safe names', async () => {
  const { status, headers, bytes } = await zipOf(guest, [...ids, ...ids]);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/zip');
  expect(headers.get('content-disposition')).toMatch(/^attachment;.*karaar-documents\.zip/);
  const files = unzipSync(bytes);
  const base = (code: string | undefined) => `किराया समझौता-${code}`;
  expect(Object.keys(files)).toEqual(
    codes.flatMap((code) => [`${base(code)}.pdf`, `${base(code)}-receipt.html`]),
  );
  for (const [at, id] of ids.entries()) {
    expect(sha256(files[`${base(codes[at])}.pdf`])).toBe(sha256(await read(`/documents/${id}/final-pdf`)));
    expect(strFromU8(files[`${base(codes[at])}-receipt.html`] ?? new Uint8Array())).toContain(codes[at]);
  }
});

it('the PDF and the receipt are sent to notifications in parts, for a user whom the document involves', async () => {
  const id = ids[0] ?? '';
  const part = (user: WorldUser, file: 'pdf' | 'receipt', offset: number, document_id = id) =>
    api.world.ask(
      documentsRpc.sealedPart,
      { document_id, user_id: user.userId, file, offset },
      'notifications',
    );
  for (const file of ['pdf', 'receipt'] as const) {
    const whole = await part(guest, file, 0);
    const parts = [Buffer.from(whole.bytes, 'base64')];
    const read = () => parts.reduce((sum, { length }) => sum + length, 0);
    while (read() < whole.size) parts.push(Buffer.from((await part(guest, file, read())).bytes, 'base64'));
    expect([read(), sha256(Buffer.concat(parts))]).toEqual([whole.size, whole.sha256]);
    expect(whole.name).toBe(`${codes[0]}${file === 'pdf' ? '.pdf' : '-receipt.html'}`);
    await expect(part(stranger, file, 0)).rejects.toThrow('answered 403');
    await expect(part(guest, file, 0, UNKNOWN)).rejects.toThrow('answered 404');
    await expect(part(owner, file, 0, (await api.create(owner)).id)).rejects.toThrow('answered 409');
  }
  expect((await part(guest, 'pdf', 0)).sha256).toBe(sha256(await read(`/documents/${id}/final-pdf`)));
  const sealedDaysAgo = (days: number) =>
    api.service.foundation.db
      .updateTable('documents')
      .set({ finalized_at: new Date(Date.now() - days * 86_400_000) })
      .where('id', '=', id)
      .execute();
  await sealedDaysAgo(6);
  expect((await part(guest, 'pdf', 0)).size).toBeGreaterThan(0);
  await sealedDaysAgo(8);
  await expect(part(guest, 'pdf', 0)).rejects.toThrow('answered 404');
  await sealedDaysAgo(0);
});

it('is refused as a whole for a document that the caller may not see, whatever else is chosen', async () => {
  const other = await api.create(owner);
  await api.send(stranger, '/documents/join', await verificationForm({ document_code: other.code }));
  expect(await refusal(stranger, [ids[0]])).toMatchObject({ status: 403, code: 'not_involved' });
  expect(await refusal(stranger, [other.id])).toMatchObject({ status: 403, code: 'not_involved' });
  expect(await refusal(guest, [...ids, other.id])).toMatchObject({ status: 403, code: 'not_involved' });
  for (const id of [UNKNOWN, '../../etc/passwd'])
    expect(await refusal(guest, [...ids, id])).toMatchObject({ status: 404, code: 'document_not_found' });
  expect((await refusal(undefined, ids)).status).toBe(401);
  for (const role of ['super-admin', 'support', 'editor'] as const)
    expect((await refusal({ headers: await api.world.adminHeaders(role) }, ids)).status).toBe(403);
});

it('is refused for a document that is not sealed, and over 50 documents with the limit in the text', async () => {
  const { id } = await api.create(owner);
  expect(await refusal(owner, [...ids, id])).toMatchObject({ status: 409, code: 'not_finalized' });
  const many = Array.from({ length: 51 }, (_, at) => `${UNKNOWN.slice(0, -2)}${10 + at}`);
  expect(await refusal(owner, many)).toEqual({
    status: 422,
    code: 'too_many_to_download',
    detail: 'One download has at most 50 documents. Choose fewer.',
  });
  expect((await refusal(owner, many.slice(0, 50))).status).toBe(404);
  for (const wrong of [[], 'all', [''], undefined, Array.from({ length: 1_001 }, () => UNKNOWN)])
    expect((await refusal(owner, wrong)).status).toBe(422);
});

it('fails with a text, and without a part of the ZIP, if one of the PDFs cannot be read', async () => {
  const lost = await sealed();
  const { final_path } = await api.service.foundation.db
    .selectFrom('documents')
    .select('final_path')
    .where('id', '=', lost)
    .executeTakeFirstOrThrow();
  await blobsOf(api).delete(String(final_path));
  expect(await refusal(guest, [...ids, lost])).toMatchObject({
    status: 503,
    code: 'sealed_pdf_unreadable',
    detail: expect.stringContaining('nothing was downloaded'),
  });
  expect((await zipOf(guest, ids)).status).toBe(200);
});

it('reads each PDF once', async () => {
  expect((await zipOf(guest, ids)).status).toBe(200);
  expect(opened).toHaveLength(ids.length);
  expect(new Set(opened).size).toBe(ids.length);
});

it.each([
  [MOST_BYTES / 2, 200],
  [MOST_BYTES / 2 + 1, 413],
])('of two PDFs of %d bytes each is answered with %d, before a PDF is read', async (bytes, status) => {
  claimed = bytes;
  const answer = await zipOf(guest, ids);
  expect(answer.status).toBe(status);
  if (status === 200) return;
  expect(JSON.parse(strFromU8(answer.bytes))).toMatchObject({
    code: 'too_large_to_download',
    detail: expect.stringContaining('larger than 1 GB'),
  });
  expect(opened).toEqual([]);
});

it('breaks off for a PDF whose bytes are not the sealed ones', async () => {
  damaged = true;
  await expect(zipOf(guest, ids)).rejects.toThrow();
});
