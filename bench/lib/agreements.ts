/** Approved agreements to pay for: one is made through the API, the others are copies of its rows. */
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { randomCode8, uuidv7 } from '@karaar/db';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Payer } from './people.ts';

/** Creates an agreement that both parties have approved. @returns its id */
export async function approvedAgreement(owner: Payer, guest: Payer): Promise<string> {
  const id = await createAgreement(owner, 'Rent agreement');
  await acceptAgreement(owner, guest, id);
  await approveAgreement(owner, id);
  return id;
}

/** @returns the id of a new agreement */
export async function createAgreement(owner: Payer, name: string): Promise<string> {
  const created = await owner.call('POST', '/documents/create', await documentForm(name), [200, 201]);
  return String(created.body['document_id']);
}

/** Invites the guest, who accepts. 409: the first answer was lost. */
export async function acceptAgreement(owner: Payer, guest: Payer, id: string): Promise<void> {
  const invitation = { document_id: id, target_user_char_id: guest.charId };
  await owner.call('POST', '/documents/initiate-agreement', invitation, [200, 201, 202, 409]);
  await guest.call('POST', `/documents/${id}/respond-agreement`, await acceptForm(), [200, 201]);
}

export async function approveAgreement(owner: Payer, id: string): Promise<void> {
  await owner.call('PUT', `/documents/${id}/approve/${owner.userId}`, undefined, [200, 202, 409]);
}

/** Waits for a condition, and looks again after `every` milliseconds. @throws Error after `ms` */
export async function eventually(
  what: string,
  isDone: () => Promise<boolean>,
  { ms = 60_000, every = 300 } = {},
): Promise<void> {
  for (const end = Date.now() + ms; !(await isDone()); await sleep(every))
    if (Date.now() > end) throw new Error(`${what} took longer than ${ms / 1_000} s`);
}

/** Finalizes an approved agreement. @returns a function that reads whether it is sealed; it throws when that failed */
export async function sealing(owner: Payer, id: string): Promise<() => Promise<boolean>> {
  await owner.call('PATCH', `/documents/${id}/finalize`, new FormData(), [200, 202, 409]);
  return async () => {
    const { body } = await owner.call('GET', `/documents/${id}`);
    const job = body['finalization'] as { state: string; detail: string | null } | null;
    if (job?.state === 'failed') throw new Error(`sealing ${id} failed: ${job.detail ?? ''}`);
    return body['status'] === 'finalized';
  };
}

/** Distributes the price of an agreement: 60 % to the owner, 40 % to the guest. */
export async function shareOut(owner: Payer, guest: Payer, id: string): Promise<void> {
  const payment_distributions = [
    { user_id: owner.userId, percentage: 60 },
    { user_id: guest.userId, percentage: 40 },
  ];
  await owner.call('POST', `/payments/document/${id}/setup-distribution`, { payment_distributions }, [200]);
}

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

/** Returns a form for a new agreement on a file of so many pages. */
export async function documentForm(name: string, pages = 1): Promise<FormData> {
  const form = await images();
  form.append('name', name);
  form.append('start_date', '2026-03-01');
  form.append('end_date', '2026-03-07');
  const pdf = await textPdf(
    ...Array.from({ length: pages }, (_, i) => `The rent is ten thousand rupees, page ${i + 1}`),
  );
  form.append('raw_documents', blob(pdf, 'application/pdf'), 'rent.pdf');
  return form;
}

async function acceptForm(): Promise<FormData> {
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
