/** Approved agreements to pay for: one is made through the API, the others are copies of its rows. */
import { agree, share } from '@karaar/e2e/src/journey.ts';
import { part, verification, type Person } from '@karaar/e2e/src/person.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { randomCode8, uuidv7 } from '@karaar/db';
import pg from 'pg';

/** Creates an agreement that both parties have approved. @returns its id */
export async function approvedAgreement(owner: Person, guest: Person): Promise<string> {
  const id = await createAgreement(owner, 'Rent agreement');
  await agree(owner, guest, id);
  return id;
}

/** Creates an agreement on a file of so many pages. @returns its id */
export async function createAgreement(owner: Person, name: string, pages = 1): Promise<string> {
  const texts = Array.from({ length: pages }, (_, i) => `The rent is ten thousand rupees, page ${i + 1}`);
  const raw_documents = part(await textPdf(...texts), 'application/pdf', 'rent.pdf');
  const dates = { start_date: '2026-03-01', end_date: '2026-03-07' };
  const fields = { name, ...dates, raw_documents, ...(await verification(1)) };
  return String((await owner.send('/documents/create', fields)).body['document_id']);
}

/** Distributes the price of an agreement: 60 % to the owner, 40 % to the guest. */
export const shareOut = (owner: Person, guest: Person, id: string) =>
  share(owner, id, [
    [owner, 60],
    [guest, 40],
  ]);

type Pair = { owner: { userId: string }; guest: { userId: string } };

/** Copies an approved agreement in the documents' database, by default with its own parties. @returns the new ids */
export async function copies(
  documents: string,
  id: string,
  count: number,
  pairs: readonly Pair[] = [],
): Promise<string[]> {
  const made = Array.from({ length: count }, (_, i) => {
    const { owner, guest } = pairs[i % pairs.length] ?? {};
    return { id: uuidv7(), code: randomCode8(), owner: owner?.userId, guest: guest?.userId };
  });
  const rows = JSON.stringify(made);
  const of = (table: string, alias: string, set: string, key: string) => `
    INSERT INTO ${table}
    SELECT (jsonb_populate_record(${alias}, jsonb_strip_nulls(jsonb_build_object(${set})))).*
    FROM ${table} ${alias}, jsonb_to_recordset($2) AS n(id uuid, code text, owner uuid, guest uuid)
    WHERE ${alias}.${key} = $1`;
  const user = (isOwner: string) => `CASE WHEN ${isOwner} THEN n.owner ELSE n.guest END`;
  const statements = [
    of('documents', 'd', `'id', n.id, 'document_code', n.code, 'primary_user', n.owner`, 'id'),
    of('parties', 'p', `'document_id', n.id, 'user_id', ${user(`p.state = 'primary'`)}`, 'document_id'),
    of('raw_files', 'f', `'document_id', n.id, 'id', gen_random_uuid()`, 'document_id'),
    `INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
    SELECT p.user_id, n.id, m.status, m.waiting, m.name_key, m.search, m.changed_at
    FROM jsonb_to_recordset($2) AS n(id uuid, code text), parties p, my_documents m
    WHERE p.document_id = n.id AND m.document_id = $1 AND m.user_id = (
      SELECT o.user_id FROM parties o WHERE o.document_id = $1 AND o.state = p.state)`,
  ];
  const client = new pg.Client({ connectionString: documents, connectionTimeoutMillis: 5_000 });
  // When the database is killed, the running query rejects as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement, [id, rows]);
  } finally {
    await client.end().catch(() => undefined);
  }
  return made.map((document) => document.id);
}
