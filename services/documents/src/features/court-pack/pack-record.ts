/** The record of an agreement in a court pack, with a hash chain over its history. */
import { createHash } from 'node:crypto';
import { statementHash } from '@karaar/proof/approval/approval';
import type { Context } from '../../context.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { listEvents } from '../agreements/agreement-records.repository.ts';
import { presentEvent } from '../agreements/agreements.presenter.ts';
import { approvalsOf } from '../agreements/approvals/approvals.repository.ts';
import { verificationsOf, type VerificationRow } from '../identity-verification/verification.repository.ts';
import { uploadName, type PackHolder } from './evidence-files.ts';

export type TimelineLine = { at: string; who: string; what: string; about: string | null; chain: string };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Each chain value is the SHA-256, in lower-case hex, of the previous value (at first 64 zeros), a line break
 * and the line's text.
 */
export function chained<T>(lines: readonly T[]): { text: string; chain: string }[] {
  let chain = '0'.repeat(64);
  return lines.map((line) => {
    const text = JSON.stringify(line);
    chain = sha256(`${chain}\n${text}`);
    return { text, chain };
  });
}

/** A party gets the history as on the document's page; the creator and an admin get all of it. */
export async function packRecord(
  ctx: Context,
  { document, parties, rawFiles }: DocumentRecord,
  holder: PackHolder,
): Promise<{ json: string; timeline: TimelineLine[] }> {
  const [events, approvals, verifications] = [
    await listEvents(ctx.db, document.id),
    await approvalsOf(ctx.db, document.id),
    await verificationsOf(ctx.db, document.id),
  ];
  const inFull = holder.kind === 'admin' || document.primary_user === holder.userId;
  const shown = events.map((event) => presentEvent(event, inFull));
  const chain = chained(shown);
  const involved = parties.filter((party) => party.state !== 'requested');
  const record = {
    document: {
      code: document.document_code,
      name: document.name,
      location: document.location,
      start_date: document.start_date,
      end_date: document.end_date,
      description: document.description,
      created_at: document.created_at.toISOString(),
      finalized_at: document.finalized_at?.toISOString() ?? null,
      sealed_pdf_sha256: document.final_sha256,
    },
    files: rawFiles.map(({ ordinal, name, mime, size, sha256: hash, preview_sha256 }) => ({
      in_this_pack: uploadName(ordinal),
      ...{ name, mime, bytes: size, sha256: hash, pages_sha256: preview_sha256 },
    })),
    parties: involved.map((party) => ({
      char_id: party.char_id,
      name: party.name,
      role: party.state === 'primary' ? 'creator' : 'party',
      images: imagesOf(verifications.find((row) => row.user_id === party.user_id)),
      approvals: approvals
        .filter((approval) => approval.user_id === party.user_id)
        .map(({ approved_at, withdrawn_at, content_hash, statement }) => ({
          approved_at: approved_at.toISOString(),
          withdrawn_at: withdrawn_at?.toISOString() ?? null,
          ...{ content_hash, statement },
          statement_sha256: statementHash(statement),
        })),
    })),
    history: {
      rule: 'chain = SHA-256(chain before, a line break, text); the first line has 64 zeros before it',
      lines: chain,
    },
  };
  const timeline = shown.map((event, i) => ({
    at: event.at,
    who: event.actor_name,
    what: event.detail,
    about: event.subject_name,
    chain: chain[i]?.chain ?? '',
  }));
  return { json: `${JSON.stringify(record, null, 2)}\n`, timeline };
}

/** The hashes are included even if the images are not. */
const imagesOf = (row: VerificationRow | undefined) =>
  row
    ? {
        face_sha256: row.profile_pic_sha256,
        eye_sha256: row.eye_sha256,
        signature_sha256: row.sign_sha256,
        fingerprint_sha256: row.thumb_sha256,
      }
    : null;
