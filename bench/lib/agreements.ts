/** Approved agreements to pay for: one made by the API as people do, the others copies of its rows. */
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { randomCode8, uuidv7 } from '@karaar/platform/db-kit';
import pg from 'pg';
import { expectStatus, sendAs, type Payer } from './people.ts';

/** An agreement of two, approved by both. @returns its id */
export async function approvedAgreement(url: string, owner: Payer, guest: Payer): Promise<string> {
  const { document_id: id } = await sendAs(url, owner, '/documents/create', await documentForm());
  await owner.call('POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: guest.charId,
  });
  await sendAs(url, guest, `/documents/${String(id)}/respond-agreement`, await acceptForm());
  const approved = await owner.call('PUT', `/documents/${String(id)}/approve/${owner.userId}`);
  expectStatus('the approval', approved, 200);
  return String(id);
}

/** Shares the price of an agreement out: sixty for the owner, forty for the guest. */
export async function shareOut(owner: Payer, guest: Payer, id: string): Promise<void> {
  const payment_distributions = [
    { user_id: owner.userId, percentage: 60 },
    { user_id: guest.userId, percentage: 40 },
  ];
  const path = `/payments/document/${id}/setup-distribution`;
  expectStatus('the distribution', await owner.call('POST', path, { payment_distributions }), 200);
}

/** The parties of a copy. */
export type Pair = { owner: string; guest: string };

/**
 * Copies an approved agreement with its parties, files and places in their lists.
 *
 * @param documents the address of the documents' database
 * @param pairs the parties of the copies, in turns; those of the model when there are none
 * @returns the new ids
 */
export async function copies(
  documents: string,
  id: string,
  count: number,
  pairs: readonly Pair[] = [],
): Promise<string[]> {
  const made = Array.from({ length: count }, (_, i) => ({
    id: uuidv7(),
    code: randomCode8(),
    ...(pairs[i % pairs.length] ?? { owner: null, guest: null }),
  }));
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
  // Where the database is killed, the query that was under way rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement, [id, rows]);
  } finally {
    await client.end().catch(() => undefined);
  }
  return made.map((document) => document.id);
}

/** A new document with its creator's photos, as the app sends it. */
export async function documentForm(name = 'Rent agreement'): Promise<FormData> {
  const form = await images();
  const fields = { name, start_date: '2026-03-01', end_date: '2026-03-07' };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const pdf = await textPdf('The rent is ten thousand rupees');
  form.append('raw_documents', blob(pdf, 'application/pdf'), 'rent.pdf');
  return form;
}

/** An acceptance with its photos. */
export async function acceptForm(): Promise<FormData> {
  const form = await images();
  form.append('response', 'accept');
  form.append('thumb', blob(await idCardPng('THUMB'), 'image/png'), 'thumb.png');
  return form;
}

async function images(): Promise<FormData> {
  const form = new FormData();
  const face = blob(await faceImage({ width: 1280, height: 720 }), 'image/jpeg');
  form.append('profile_pic', face, 'profile_capture.jpg');
  form.append('eye', face, 'eye_capture.jpg');
  form.append('sign', blob(await signaturePng(1), 'image/png'), 'signature.png');
  return form;
}

export const blob = (bytes: Uint8Array, type: string): Blob => new Blob([new Uint8Array(bytes)], { type });
