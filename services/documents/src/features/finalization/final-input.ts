import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { durationDays, totalPaise } from '@karaar/contracts/charge';
import type { Language } from '@karaar/contracts/limits';
import type { AppError } from '@karaar/base/errors';
import { contentHash, statementHash } from '@karaar/proof/approval/approval';
import type { Context } from '../../context.ts';
import type { AuditEntry, FinalPdfInput, NoticedImages, RawFile } from '@karaar/rendering';
import { contentChanged, filesChanged } from '../agreements/rules/agreement.errors.ts';
import {
  findDocument,
  listEvents,
  type DocumentRecord,
  type EventRow,
} from '../agreements/agreement-records.repository.ts';
import { approvalsOf, type ApprovalRow } from '../agreements/approvals/approvals.repository.ts';
import { verifiedSigners } from '../transparency-log/signed-approvals.ts';
import { verificationsOf, type VerificationRow } from '../identity-verification/verification.repository.ts';
import { PermanentFailure } from './finalization.errors.ts';
import { contentOf, filesDigest } from '../agreements/approvals/shown.ts';

/**
 * Returns the composer's input. Raw files are decrypted into `folder`, which the caller removes.
 * @throws PermanentFailure if an approval is missing or was given for other files or terms
 */
export async function gatherFinalInput(
  ctx: Context,
  documentId: string,
  folder: string,
  { seal, law }: Pick<FinalPdfInput, 'seal' | 'law'>,
): Promise<FinalPdfInput> {
  const record = await findDocument(ctx.db, documentId);
  if (!record) throw new PermanentFailure('document_not_found', 'The document is gone.');
  const { document } = record;
  const approvals = await approvalsInForce(ctx, documentId);
  requireSameContent(record, approvals);
  const days = durationDays(document.start_date, document.end_date);
  const rate = document.daily_rate_paise;
  return {
    document: {
      name: document.name,
      code: document.document_code,
      location: document.location,
      startDate: document.start_date,
      endDate: document.end_date,
      description: document.description,
      pageDetails: document.page_details.map((page) => ({
        pageNo: page.page_no,
        description: page.description,
      })),
      createdAt: document.created_at.toISOString(),
      days,
      dailyRatePaise: rate,
      totalPaise: totalPaise(rate, days),
    },
    parties: await partiesOf(ctx, record, approvals, await signersOf(ctx, record)),
    files: await rawFilesOf(ctx, record, folder),
    auditTrail: (await listEvents(ctx.db, documentId)).map(auditEntryOf),
    logOrigin: ctx.log.identity.key.name,
    verifyUrl: `${ctx.config.PUBLIC_URL}/verify/${document.document_code}`,
    seal,
    composedAt: new Date().toISOString(),
    languages: languagesOf(record),
    ...(law ? { law } : {}),
  };
}

/** Returns an event as a line of a printed history. */
export const auditEntryOf = (event: EventRow): AuditEntry => ({
  at: event.at.toISOString(),
  actor: event.actor_id ? (event.actor_name ?? 'Unknown User') : 'Karaar',
  action: event.detail,
  type: event.type,
  ...(event.subject_name ? { subject: event.subject_name } : {}),
});

/** The parties' languages besides English, which the certificate always has; the primary user's first. */
const languagesOf = (record: DocumentRecord): Language[] => [
  ...new Set(involvedOf(record).flatMap(({ language }) => (language && language !== 'en' ? [language] : []))),
];

type Approvals = ReadonlyMap<string, ApprovalRow>;

async function approvalsInForce(ctx: Context, documentId: string): Promise<Approvals> {
  const rows = await approvalsOf(ctx.db, documentId);
  return new Map(rows.filter((row) => !row.withdrawn_at).map((row) => [row.user_id, row]));
}

/** Returns the users who signed with a passkey. Fails for an invalid signature, which must not be sealed. */
async function signersOf(ctx: Context, { document }: DocumentRecord): Promise<ReadonlySet<string>> {
  try {
    return await verifiedSigners(ctx, document);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PermanentFailure('signature_invalid', 'A signed approval on record does not hold.');
  }
}

/** Each approval binds to the exact files, pages and terms that were shown (design §3 Parties). */
function requireSameContent(record: DocumentRecord, approvals: Approvals): void {
  const digest = filesDigest(record.rawFiles);
  const content = contentHash(contentOf(record.document, record.rawFiles));
  const refuse = ({ code, message }: AppError) => new PermanentFailure(code, message);
  if (involvedOf(record).some((party) => party.approved_files_sha256 !== digest))
    throw refuse(filesChanged());
  if ([...approvals.values()].some((approval) => approval.content_hash !== content))
    throw refuse(contentChanged());
}

const involvedOf = ({ parties }: DocumentRecord) => parties.filter((party) => party.state !== 'requested');

async function partiesOf(
  ctx: Context,
  record: DocumentRecord,
  approvals: Approvals,
  signers: ReadonlySet<string>,
): Promise<FinalPdfInput['parties']> {
  const involved = involvedOf(record);
  const people = new Set(involved.map((party) => party.user_id));
  const verifications = (await verificationsOf(ctx.db, record.document.id)).filter((verification) =>
    people.has(verification.user_id),
  );
  return Promise.all(
    involved.map(async (party) => {
      const images = verifications.find((verification) => verification.user_id === party.user_id);
      const approval = approvals.get(party.user_id);
      if (!approval) throw new PermanentFailure('not_approved', 'A party has no approval on record.');
      if (!images) throw new PermanentFailure('not_verified', 'A party has no verification on record.');
      return {
        // The name in the approval; a later name is only in the history.
        name: party.approved_name ?? party.name ?? 'Unknown User',
        charId: party.char_id ?? '',
        role: party.state === 'primary' ? ('primary' as const) : ('party' as const),
        approval: {
          at: approval.approved_at.toISOString(),
          by: signers.has(party.user_id) ? 'key' : 'session',
          statementSha256: statementHash(approval.statement),
        },
        photo: await ctx.blobs.read(images.profile_pic),
        faceBox: images.face_box,
        face: { sha256: images.profile_pic_sha256, source: images.profile_pic_source },
        eye: { sha256: images.eye_sha256, source: images.eye_source },
        signature: await ctx.blobs.read(images.sign),
        signMethod: images.sign_method,
        noticed: noticedOf(images, verifications),
      };
    }),
  );
}

/** Compares hashes within this document. Reuse of photos from other documents was detected on upload. */
function noticedOf(images: VerificationRow, all: readonly VerificationRow[]): NoticedImages {
  const own = hashesOf(images);
  const others = new Set(all.filter((one) => one !== images).flatMap(hashesOf));
  return {
    ...(new Set(own).size < own.length ? { oneImageTwice: true } : {}),
    ...(own.some((hash) => others.has(hash)) ? { shared: true } : {}),
    ...(images.photo_hints.includes('same_photo') ? { sentBefore: true } : {}),
  };
}

const hashesOf = (row: VerificationRow): string[] =>
  [row.profile_pic_sha256, row.eye_sha256, row.sign_sha256, row.thumb_sha256].filter((hash) => hash !== null);

/** Decrypts the pages that parties read; overwrites the files of an attempt at a higher seal level. */
async function rawFilesOf(ctx: Context, record: DocumentRecord, folder: string): Promise<RawFile[]> {
  const files: RawFile[] = [];
  for (const {
    ordinal,
    name,
    kind,
    sha256,
    preview_path,
    preview_sha256,
    pictures,
    pictures_accepted_at,
    left_out,
    left_out_accepted_at,
  } of record.rawFiles) {
    const path = join(folder, String(ordinal));
    const blob = await ctx.blobs.open(preview_path);
    const handle = await open(path, 'w', 0o600);
    await pipeline(blob.stream, handle.createWriteStream());
    const acceptedAt = pictures_accepted_at?.toISOString();
    const leftOutAt = left_out_accepted_at?.toISOString();
    files.push({
      ...{ name, kind, sha256 },
      pages: { path, sha256: preview_sha256 },
      ...(pictures.length > 0
        ? { pictures: { pages: pictures, ...(acceptedAt ? { acceptedAt } : {}) } }
        : {}),
      ...(left_out.length > 0
        ? { leftOut: { parts: left_out, ...(leftOutAt ? { acceptedAt: leftOutAt } : {}) } }
        : {}),
    });
  }
  return files;
}
