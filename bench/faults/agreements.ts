/** Approved agreements to pay for: one made by the API as people do, the others copies of its rows. */
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import { textPdf } from '@karaar/testing/made-up/files';
import { randomCode8, uuidv7 } from '@karaar/platform/db-kit';
import type { Client } from 'pg';
import type { Payer } from './people.ts';

type Send = (path: string, form: FormData) => Promise<Record<string, unknown>>;

/** An agreement of two, approved by both. @returns its id */
export async function approvedAgreement(
  owner: Payer,
  guest: Payer,
  sendAs: (who: Payer) => Send,
): Promise<string> {
  const { document_id: id } = await sendAs(owner)('/documents/create', await documentForm());
  await owner.call('POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: guest.charId,
  });
  await sendAs(guest)(`/documents/${String(id)}/respond-agreement`, await acceptForm());
  const { status } = await owner.call('PUT', `/documents/${String(id)}/approve/${owner.userId}`);
  if (status !== 200) throw new Error(`the approval answered ${status}`);
  return String(id);
}

/** Whose agreement a copy is. */
export type Pair = { owner: string; guest: string };

/**
 * Copies an approved agreement with its parties, files and places in their lists.
 *
 * @param pairs whose the copies are, in turns; those of the model when there are none
 * @returns the new ids
 */
export async function copies(
  documents: Client,
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
  for (const statement of [
    of('documents', 'd', `'id', n.id, 'document_code', n.code, 'primary_user', n.owner`, 'id'),
    of('parties', 'p', `'document_id', n.id, 'user_id', ${user(`p.state = 'primary'`)}`, 'document_id'),
    of('raw_files', 'f', `'document_id', n.id, 'id', gen_random_uuid()`, 'document_id'),
    `INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
    SELECT p.user_id, n.id, m.status, m.waiting, m.name_key, m.search, m.changed_at
    FROM jsonb_to_recordset($2) AS n(id uuid, code text), parties p, my_documents m
    WHERE p.document_id = n.id AND m.document_id = $1 AND m.user_id = (
      SELECT o.user_id FROM parties o WHERE o.document_id = $1 AND o.state = p.state)`,
  ])
    await documents.query(statement, [id, rows]);
  return made.map((document) => document.id);
}

/** A new document with its creator's photos, as the app sends it. */
export async function documentForm(name = 'Rent agreement'): Promise<FormData> {
  const form = await images();
  form.append('name', name);
  form.append('start_date', '2026-03-01');
  form.append('end_date', '2026-03-07');
  const pdf = new Uint8Array(await textPdf('The rent is ten thousand rupees'));
  form.append('raw_documents', new Blob([pdf], { type: 'application/pdf' }), 'rent.pdf');
  return form;
}

/** An acceptance with its photos. */
export async function acceptForm(): Promise<FormData> {
  const form = await images();
  form.append('response', 'accept');
  form.append(
    'thumb',
    new Blob([new Uint8Array(await idCardPng('THUMB'))], { type: 'image/png' }),
    'thumb.png',
  );
  return form;
}

async function images(): Promise<FormData> {
  const form = new FormData();
  const face = new Uint8Array(await faceImage({ width: 1280, height: 720 }));
  form.append('profile_pic', new Blob([face], { type: 'image/jpeg' }), 'profile_capture.jpg');
  form.append('eye', new Blob([face], { type: 'image/jpeg' }), 'eye_capture.jpg');
  form.append(
    'sign',
    new Blob([new Uint8Array(await signaturePng(1))], { type: 'image/png' }),
    'signature.png',
  );
  return form;
}
