import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { jest } from '@jest/globals';
import { blobConfigFromEnv, blobEnv, createBlobStore, type BlobStore } from '@karaar/storage/blobs';
import { loadConfig } from '@karaar/base/config';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { Type } from 'typebox';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let workDir: string;

beforeAll(async () => {
  workDir = await mkdtemp(pathOf(tmpdir(), 'karaar-work-'));
  // Left by a process that was killed while it made a PDF; in a container it had the same process id.
  const left = pathOf(workDir, `work-${process.pid}-0ff1ce-killed`, 'final-1');
  await mkdir(left, { recursive: true });
  await writeFile(pathOf(left, 'face.jpg'), 'a face');
  api = await startApi('documents-orphaned-images', { WORK_DIR: workDir });
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
}, 120_000);
afterAll(async () => {
  await api.stop();
  await rm(workDir, { recursive: true });
});

const db = () => api.service.foundation.db;
async function imagesOf(documentId: string, user: WorldUser): Promise<string[]> {
  const rows = await db()
    .selectFrom('verifications')
    .select(['profile_pic', 'eye', 'sign', 'thumb'])
    .where('document_id', '=', documentId)
    .where('user_id', '=', user.userId)
    .execute();
  return rows.flatMap((row) => Object.values(row)).filter((path) => path !== null);
}
async function stored(paths: string[]): Promise<string[]> {
  const files = await readdir(String(api.world.env['BLOB_DIR']), { recursive: true });
  return paths.filter((path) => files.some((file) => file.endsWith(path)));
}
const gone = (paths: string[]) =>
  until('the images are erased', async () => (await stored(paths)).length === 0, 15_000);
const join = async (code: string) =>
  api.send(guest, '/documents/join', await verificationForm({ document_code: code }));
const remove = (id: string) => api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);

it('erases the images of a removed party, who had asked to join or was admitted, and of no other user', async () => {
  const { id, code } = await api.create(owner);
  const kept = await imagesOf(id, owner);
  for (const approve of [false, true]) {
    expect((await join(code)).status).toBeLessThan(300);
    if (approve) await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`);
    const images = await imagesOf(id, guest);
    expect(await stored(images)).toHaveLength(3);
    expect((await remove(id)).status).toBe(200);
    expect(await imagesOf(id, guest)).toEqual([]);
    await gone(images);
  }
  expect(await stored(kept)).toEqual(kept);
});

it('erases the images of a verification that a newer one replaced', async () => {
  const { id } = await api.create(owner);
  const first = await imagesOf(id, owner);
  const form = await verificationForm();
  expect((await api.send(owner, `/documents/${id}/self-verify-approve`, form)).status).toBe(200);
  const second = await imagesOf(id, owner);
  expect(second.filter((path) => first.includes(path))).toEqual([]);
  await gone(first);
  expect(await stored(second)).toEqual(second);
});

it('erases them also after an outage of the store', async () => {
  const { id, code } = await api.create(owner);
  await join(code);
  const images = await imagesOf(id, guest);
  const store = createBlobStore(
    blobConfigFromEnv(loadConfig(Type.Object({ ...blobEnv, SERVICE_NAME: Type.String() }), api.world.env)),
  );
  const down = jest
    .spyOn(Object.getPrototypeOf(store) as BlobStore, 'delete')
    .mockRejectedValue(new Error('away'));
  await remove(id);
  await until('it was tried', () => down.mock.calls.length >= 3, 15_000);
  expect(await stored(images)).toEqual(images);
  down.mockRestore();
  await db()
    .updateTable('orphaned_images')
    .set({ due_at: new Date(0) })
    .execute();
  await gone(images);
  await until('nothing is left to do', async () => {
    const rows = await db().selectFrom('orphaned_images').selectAll().execute();
    return rows.length === 0;
  });
});

it('erases at its start what a killed process had copied for a PDF', async () => {
  const [own, ...others] = await readdir(workDir);
  expect(others).toEqual([]);
  expect(own).toMatch(new RegExp(`^work-${process.pid}-`));
  expect(own).not.toContain('killed');
});
