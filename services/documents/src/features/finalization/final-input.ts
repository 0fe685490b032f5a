/** Gathers what the final PDF is composed from: the record's own data, never what a client sends. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { durationDays, totalPaise } from '@karaar/contracts/charge';
import type { Context } from '../../context.ts';
import type { FinalPdfInput, RawFile, SealStatement } from '../../rendering/types.ts';
import { filesChanged } from '../agreements/agreement.errors.ts';
import { findDocument, listEvents, type DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { filesDigest } from '../agreements/files-digest.ts';
import { verificationsOf } from '../verification/verification.repository.ts';
import { PermanentFailure } from './finalization.errors.ts';

/**
 * The composer's input for a document. Raw files are decrypted into `folder`, which the caller removes.
 * Throws PermanentFailure when an approval was given for other files than those on record.
 */
export async function gatherFinalInput(
  ctx: Context,
  documentId: string,
  folder: string,
  seal: SealStatement,
): Promise<FinalPdfInput> {
  const record = await findDocument(ctx.db, documentId);
  if (!record) throw new PermanentFailure('document_not_found', 'The document is gone.');
  const { document } = record;
  requireSameFiles(record);
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
    parties: await partiesOf(ctx, record),
    files: await rawFilesOf(ctx, record, folder),
    auditTrail: (await listEvents(ctx.db, documentId)).map((event) => ({
      at: event.at.toISOString(),
      actor: event.actor_id ? (event.actor_name ?? 'Unknown User') : 'Karaar',
      action: event.detail,
    })),
    logOrigin: ctx.log.identity.key.name,
    verifyUrl: `${ctx.config.PUBLIC_URL}/verify/${document.document_code}`,
    seal,
    composedAt: new Date().toISOString(),
  };
}

/** Each approval binds to the exact files that its party saw (design §3 Parties). */
function requireSameFiles(record: DocumentRecord): void {
  const digest = filesDigest(record.rawFiles);
  const involved = record.parties.filter((party) => party.state !== 'requested');
  if (involved.some((party) => party.approved_files_sha256 !== digest)) {
    const { code, message } = filesChanged();
    throw new PermanentFailure(code, message);
  }
}

async function partiesOf(ctx: Context, record: DocumentRecord): Promise<FinalPdfInput['parties']> {
  const verifications = await verificationsOf(ctx.db, record.document.id);
  const involved = record.parties.filter((party) => party.state !== 'requested');
  return Promise.all(
    involved.map(async (party) => {
      const images = verifications.find((verification) => verification.user_id === party.user_id);
      if (!images || !party.approved_at)
        throw new PermanentFailure('not_verified', 'A party has no verification on record.');
      return {
        name: party.name ?? 'Unknown User',
        charId: party.char_id ?? '',
        role: party.state === 'primary' ? ('primary' as const) : ('party' as const),
        approvedAt: party.approved_at.toISOString(),
        photo: await ctx.blobs.read(images.profile_pic),
        signature: await ctx.blobs.read(images.sign),
        photos: {
          profile_pic: { sha256: images.profile_pic_sha256, source: images.profile_pic_source },
          eye: { sha256: images.eye_sha256, source: images.eye_source },
        },
      };
    }),
  );
}

/** Written anew where an earlier attempt of the same job has left one. */
async function rawFilesOf(ctx: Context, record: DocumentRecord, folder: string): Promise<RawFile[]> {
  const files: RawFile[] = [];
  for (const file of record.rawFiles) {
    const path = join(folder, String(file.ordinal));
    const blob = await ctx.blobs.open(file.path);
    const handle = await open(path, 'w', 0o600);
    await pipeline(blob.stream, handle.createWriteStream());
    files.push({ name: file.name, kind: file.kind, sha256: file.sha256, path });
  }
  return files;
}
