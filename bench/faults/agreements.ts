/** Approved agreements to pay for: one made by the API as people do, the others copies of its rows. */
import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces';
import { textPdf } from '@karaar/testing/files';
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
  const accept = await images();
  accept.append('response', 'accept');
  accept.append(
    'thumb',
    new Blob([new Uint8Array(await idCardPng('THUMB'))], { type: 'image/png' }),
    'thumb.png',
  );
  await sendAs(guest)(`/documents/${String(id)}/respond-agreement`, accept);
  const { status } = await owner.call('PUT', `/documents/${String(id)}/approve/${owner.userId}`);
  if (status !== 200) throw new Error(`the approval answered ${status}`);
  return String(id);
}

/** Copies an approved agreement with its parties. @returns the new ids */
export async function copies(documents: Client, id: string, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => ({ id: uuidv7(), code: randomCode8() }));
  const rows = JSON.stringify(made);
  await documents.query(
    `INSERT INTO documents
     SELECT (jsonb_populate_record(d, jsonb_build_object('id', n.id, 'document_code', n.code))).*
     FROM documents d, jsonb_to_recordset($2) AS n(id uuid, code text) WHERE d.id = $1`,
    [id, rows],
  );
  await documents.query(
    `INSERT INTO parties
     SELECT (jsonb_populate_record(p, jsonb_build_object('document_id', n.id))).*
     FROM parties p, jsonb_to_recordset($2) AS n(id uuid, code text) WHERE p.document_id = $1`,
    [id, rows],
  );
  await documents.query(
    `INSERT INTO raw_files
     SELECT (jsonb_populate_record(f, jsonb_build_object('document_id', n.id, 'id', gen_random_uuid()))).*
     FROM raw_files f, jsonb_to_recordset($2) AS n(id uuid, code text) WHERE f.document_id = $1`,
    [id, rows],
  );
  return made.map((document) => document.id);
}

async function documentForm(): Promise<FormData> {
  const form = await images();
  form.append('name', 'Rent agreement');
  form.append('start_date', '2026-03-01');
  form.append('end_date', '2026-03-07');
  const pdf = new Uint8Array(await textPdf('The rent is ten thousand rupees'));
  form.append('raw_documents', new Blob([pdf], { type: 'application/pdf' }), 'rent.pdf');
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
