/** What becomes of approvals that were given before they were rows of their own. */
import { createHash, randomUUID } from 'node:crypto';
import { createDb, migrateToLatest, uuidv7 } from '@karaar/platform/db-kit';
import { contentHashV1 } from '@karaar/proof/approval/approval';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { sql } from 'kysely';
import { migrations } from '../../src/db/migrations/index.ts';
import type { Database, Db } from '../../src/db/schema.ts';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import { filesDigest } from '../../src/features/agreements/files/files-digest.ts';

let database: TestDatabase;
let db: Db;

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '20261122T15'));

beforeAll(async () => {
  database = await testPostgres('approvals-migration');
  db = createDb<Database>({ url: database.url, max: 2, applicationName: 'approvals-migration' });
  await migrateToLatest(db, before);
}, 60_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const sha256 = createHash('sha256').update('the file').digest('hex');
const FILES = filesDigest([{ ordinal: 0, sha256 }]);
const AT = ['2026-11-20T10:00:00.123456Z', '2026-11-20T10:05:00.654321Z'] as const;

/** A document as the version before has written it; its history tells by which line the guest was approved. */
async function oldDocument(
  line: { type: string; by: 'owner' | 'guest' } | undefined,
  filesApproved = FILES,
): Promise<{ id: string; owner: string; guest: string; code: string }> {
  const [id, owner, guest] = [uuidv7(), randomUUID(), randomUUID()];
  const code = `AB${id.replaceAll('-', '').slice(-6).toUpperCase()}`;
  await sql`
    INSERT INTO documents (id, document_code, name, location, start_date, end_date, description, page_details, status,
      primary_user, daily_rate_paise, version)
    VALUES (${id}, ${code}, 'किराया', NULL, '2026-03-01', '2026-03-07', 'Two rooms',
      '[{"page_no": 1, "description": "Terms"}]', 'approved', ${owner}, 100, 9)`.execute(db);
  await sql`
    INSERT INTO raw_files (document_id, ordinal, name, kind, mime, size, sha256, path)
    VALUES (${id}, 0, 'rent.pdf', 'pdf', 'application/pdf', 1234, ${sha256}, ${`x/${id}`})`.execute(db);
  await sql`
    INSERT INTO parties (document_id, user_id, position, state, approved, approved_at, approved_files_sha256, verified)
    VALUES (${id}, ${owner}, 0, 'primary', true, ${AT[1]}, ${FILES}, true),
      (${id}, ${guest}, 1, 'approved', true, ${AT[0]}, ${filesApproved}, true),
      (${id}, ${randomUUID()}, 2, 'requested', false, NULL, NULL, true)`.execute(db);
  if (line) {
    const actor = line.by === 'owner' ? owner : guest;
    await sql`
      INSERT INTO document_events (id, document_id, type, actor_id, subject_id, detail, status_to, files_sha256, at)
      VALUES (${uuidv7()}, ${id}, ${line.type}, ${actor}, ${line.by === 'owner' ? guest : null}, 'x', 'approved', '',
        ${AT[0]}::timestamptz + interval '20 milliseconds')`.execute(db);
  }
  return { id, owner, guest, code };
}

it('they stay approved as they are, say whose act they were, and what was shown where that is known', async () => {
  const accepted = await oldDocument({ type: 'party.accepted', by: 'guest' });
  const verified = await oldDocument({ type: 'party.approved', by: 'guest' });
  const clicked = await oldDocument({ type: 'party.admitted', by: 'owner' });
  const invited = await oldDocument({ type: 'party.invited', by: 'owner' });
  const otherFiles = await oldDocument({ type: 'party.accepted', by: 'guest' }, 'f'.repeat(64));
  const documents = [accepted, verified, clicked, invited, otherFiles];
  // More than one batch.
  for (let more = 0; more < 510; more += 1) await oldDocument(undefined);

  expect(await migrateToLatest(db, migrations)).toEqual(
    Object.keys(migrations).filter((name) => name >= '20261122T15'),
  );

  for (const { id, owner, guest, code } of documents) {
    const hash = contentHashV1({
      document: { id, code, version: 1 },
      files: [{ name: 'rent.pdf', sha256, bytes: 1234 }],
      terms: {
        name: 'किराया',
        location: null,
        start_date: '2026-03-01',
        end_date: '2026-03-07',
        description: 'Two rooms',
        page_details: [{ page_no: 1, description: 'Terms' }],
      },
    });
    const approvals = await approvalsOf(db, id);
    const basis = id === clicked.id || id === invited.id ? 'creator' : 'own';
    expect(approvals).toMatchObject([
      { user_id: guest, basis, statement: null, withdrawn_at: null, content_form: 1 },
      { user_id: owner, basis: 'own', statement: null, withdrawn_at: null, content_hash: hash },
    ]);
    expect(approvals[0]?.content_hash).toBe(id === otherFiles.id ? null : hash);
    expect(approvals[0]?.approved_at.toISOString()).toBe('2026-11-20T10:00:00.123Z');
    const parties = await db
      .selectFrom('parties')
      .select(['state', 'approved', 'approved_files_sha256'])
      .where('document_id', '=', id)
      .orderBy('position')
      .execute();
    expect(parties.map(({ state, approved }) => [state, approved])).toEqual([
      ['primary', true],
      ['approved', true],
      ['requested', false],
    ]);
  }
  const { count } = await db
    .selectFrom('approvals')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(2 * (510 + documents.length));
}, 60_000);

it('the history stays append-only, but for reasons', async () => {
  const changes = [sql`detail = 'y'`, sql`actor_id = NULL`, sql`at = now()`];
  for (const set of changes)
    await expect(sql`UPDATE document_events SET ${set}`.execute(db)).rejects.toThrow('never changed');
  await expect(sql`DELETE FROM document_events`.execute(db)).rejects.toThrow('never changed');
  await sql`UPDATE document_events SET reason = NULL`.execute(db);
});
