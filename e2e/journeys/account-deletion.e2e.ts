/** After the deletion of an account no database, blob, log or broker stream contains the person's data. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { invite } from '../src/journey.ts';
import { confirmDeletion, newPerson, part, verification } from '../src/person.ts';
import { sharedProduct } from '../src/shared-product/index.ts';

jest.setTimeout(180_000);

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);
const tail = String(Date.now()).slice(-7);
const NAME = `Zarqa Unmistakable ${tail}`;
const MESSAGE = `nobody else ever wrote this ${tail}`;

/** Returns every row of every table of all services, as text. */
async function everyRow(): Promise<{ where: string; text: string }[]> {
  const admin = new pg.Client({ connectionString: sharedProduct.postgresUrl });
  await admin.connect();
  const { rows: databases } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'karaar\\_%'`,
  );
  await admin.end();
  const all: { where: string; text: string }[] = [];
  for (const { name } of databases) {
    const url = new URL(sharedProduct.postgresUrl);
    url.pathname = `/${name}`;
    const db = new pg.Client({ connectionString: url.toString() });
    await db.connect();
    const { rows: tables } = await db.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const table of tables) {
      const { rows } = await db.query<{ text: string | null }>(
        `SELECT string_agg(t::text, E'\\n') AS text FROM "${table.name}" t`,
      );
      all.push({ where: `${name}.${table.name}`, text: rows[0]?.text ?? '' });
    }
    await db.end();
  }
  return all;
}

async function everyFile(folder: string): Promise<{ where: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (path) => ({ where: path.slice(folder.length), text: await readFile(path, 'latin1') })),
  );
}

const findIn = (places: { where: string; text: string }[], values: string[]): string[] =>
  places.flatMap(({ where, text }) =>
    values.filter((value) => text.includes(value)).map((value) => `${where}: ${value}`),
  );

const [leaver, stayer] = await Promise.all([
  newPerson(sharedProduct.url, NAME, `+91981${tail}`),
  newPerson(sharedProduct.url, 'Stays Behind', `+91982${tail}`),
]);

it('keeps only the data that an agreement needs', async () => {
  const images = await verification(3);
  const fields = { raw_documents: part(PDF, 'application/pdf', 'rent.pdf'), ...images };
  // A rejected agreement with the stayer, a draft, messages both ways, a search by phone.
  const created = await leaver.send('/documents/create', { name: `Rent ${tail}`, ...fields });
  const documentId = String(created.body['document_id']);
  await invite(leaver, stayer, documentId);
  await leaver.send('/documents/create', { name: `Secret plan ${tail}`, save_as_draft: 'true', ...fields });
  await leaver.send('/messaging/send', { receiver_id: stayer.userId, content: MESSAGE });
  await stayer.send('/messaging/send', { receiver_id: leaver.userId, content: 'a greeting' });
  await stayer.call('GET', `/users/all?search=${encodeURIComponent(leaver.phone)}`);

  const remove = () =>
    leaver.call('POST', '/users/profile/deletion', { confirm_char_id: leaver.charId }, [200, 409]);
  await confirmDeletion(sharedProduct.url, leaver);
  const refused = await remove();
  expect(refused).toMatchObject({ status: 409, body: { code: 'deletion_blocked' } });
  expect(refused.body['detail']).toContain(`“Rent ${tail}”`);
  await stayer.send(`/documents/${documentId}/respond-agreement`, { response: 'reject' });
  expect((await leaver.call('GET', '/users/profile/deletion')).body).toEqual({ blockers: [] });
  expect((await leaver.bytes('/users/profile/export')).subarray(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));

  const personal = [leaver.phone.slice(1), MESSAGE, `Secret plan ${tail}`];
  expect(findIn(await everyRow(), [...personal, NAME]).length).toBeGreaterThan(5);
  expect((await remove()).status).toBe(200);

  await until(
    'every service has erased',
    async () => {
      expect(findIn(await everyRow(), personal)).toEqual([]);
      return true;
    },
    20_000,
  );
  // Only the record of the rejected agreement contains the name.
  const named = findIn(await everyRow(), [NAME]).map((hit) => hit.split(':')[0]);
  expect(
    named.filter(
      (where) => !/^karaar_documents\.(directory|document_events|party_names)$/.test(String(where)),
    ),
  ).toEqual([]);

  const values = [...personal, NAME, leaver.token];
  expect(findIn(await everyFile(join(sharedProduct.stateDir, 'logs')), values)).toEqual([]);
  for (const kept of ['blobs', 'nats', 'redis']) {
    const files = await everyFile(join(sharedProduct.stateDir, 'data', kept));
    expect(findIn(files, values)).toEqual([]);
  }
  // The broker keeps events about the person, which contain only an id.
  expect(
    findIn(await everyFile(join(sharedProduct.stateDir, 'data', 'nats', 'streams')), [leaver.userId]),
  ).not.toEqual([]);
  const profile = () =>
    fetch(`${sharedProduct.url}/api/users/profile`, { headers: { authorization: `Bearer ${leaver.token}` } });
  await until('the session has ended', async () => (await profile()).status === 401, 1_000);
});
