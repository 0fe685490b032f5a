import type { Tx } from '@karaar/platform/db-kit';
import type { CaptureStep, PhotoHint, PhotosRecord } from '@karaar/contracts/documents/http';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Database, VerificationsTable } from '../../db/schema.ts';
import { looksUnlike } from './eye-agreement.ts';
import { bandsOf, SIMILAR_BITS } from './likeness.ts';
import { sourceOf } from './live-captures.repository.ts';

type Image = { path: string; sha256: string };
type Photo = Image & { likeness: string | null };
export type VerificationPaths = {
  profile_pic: Photo;
  eye: Photo;
  sign: Image;
  thumb: Image | null;
  /** How alike the eyes on both photos are, 0 to 100; null where nothing was compared. */
  eyeAgreement: number | null;
  /** What the photos were taken for (see captureSubject). */
  subject: string;
};
export type VerificationRow = Selectable<VerificationsTable>;

/** A party's newest verification for a document replaces an earlier one. Answers what the history keeps of it. */
export async function storeVerification(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  images: VerificationPaths,
): Promise<PhotosRecord> {
  const source = (step: CaptureStep) =>
    sourceOf(tx, { userId, subject: images.subject, step, sha256: images[step].sha256 });
  const photos: PhotosRecord = {
    profile_pic: { sha256: images.profile_pic.sha256, source: await source('profile_pic') },
    eye: { sha256: images.eye.sha256, source: await source('eye') },
    ...(images.eyeAgreement === null ? {} : { eye_agreement: images.eyeAgreement }),
  };
  const values = {
    photo_hints: [
      ...(await noticedAbout(tx, documentId, userId, images)),
      ...(looksUnlike(images.eyeAgreement) ? (['eyes_differ'] as const) : []),
    ],
    eye_agreement: images.eyeAgreement,
    profile_pic_source: photos.profile_pic.source,
    eye_source: photos.eye.source,
    profile_pic_likeness: images.profile_pic.likeness,
    eye_likeness: images.eye.likeness,
    likeness_bands: bandsOf([images.profile_pic.likeness, images.eye.likeness]),
    profile_pic: images.profile_pic.path,
    profile_pic_sha256: images.profile_pic.sha256,
    eye: images.eye.path,
    eye_sha256: images.eye.sha256,
    sign: images.sign.path,
    sign_sha256: images.sign.sha256,
    thumb: images.thumb?.path ?? null,
    thumb_sha256: images.thumb?.sha256 ?? null,
    created_at: new Date(),
  };
  await tx
    .insertInto('verifications')
    .values({ document_id: documentId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['document_id', 'user_id']).doUpdateSet(values))
    .execute();
  return photos;
}

/** Whether a photo was sent before, for another document or by another user: the same bytes, or a copy of it. */
async function noticedAbout(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  { profile_pic, eye }: VerificationPaths,
): Promise<PhotoHint[]> {
  const hashes = [profile_pic.sha256, eye.sha256];
  const likenesses = [profile_pic.likeness, eye.likeness].filter((bits) => bits !== null);
  const others = sql`(document_id, user_id) <> (${documentId}::uuid, ${userId}::uuid)`;
  const { rows } = await sql<{ same: boolean; similar: boolean }>`
    SELECT EXISTS (
        SELECT FROM verifications WHERE profile_pic_sha256 = ANY(${hashes}) AND ${others}
        UNION ALL SELECT FROM verifications WHERE eye_sha256 = ANY(${hashes}) AND ${others}
      ) AS same,
      EXISTS (
        SELECT FROM verifications, unnest(${likenesses}::text[]) AS sent (bits)
        WHERE likeness_bands && ${bandsOf(likenesses)}::text[] AND ${others}
          AND (bit_count(profile_pic_likeness # sent.bits::bit(64)) <= ${SIMILAR_BITS}
            OR bit_count(eye_likeness # sent.bits::bit(64)) <= ${SIMILAR_BITS})
      ) AS similar`.execute(tx);
  if (rows[0]?.same) return ['same_photo'];
  return rows[0]?.similar ? ['similar_photo'] : [];
}

export async function verificationsOf(
  db: Kysely<Database> | Tx<Database>,
  documentId: string,
): Promise<VerificationRow[]> {
  return db.selectFrom('verifications').selectAll().where('document_id', '=', documentId).execute();
}
