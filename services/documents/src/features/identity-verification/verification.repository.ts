import type { Tx } from '@karaar/db';
import type { CaptureStep, FaceBox, PhotoHint, PhotosRecord } from '@karaar/contracts/documents/http';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, VerificationsTable } from '../../db/schema.ts';
import { looksUnlike } from './eye-agreement.ts';
import { bandsOf, SIMILAR_BITS } from './likeness.ts';
import { sourceOf } from './live-captures.repository.ts';
import type { Stated } from './sent.ts';

type Image = { path: string; sha256: string };
type Photo = Image & { likeness: string | null };
export type VerificationPaths = {
  profile_pic: Photo;
  faceBox: FaceBox | null;
  eye: Photo;
  sign: Image;
  thumb: Image | null;
  /** How alike the eyes on both photos are, 0 to 100; null if not compared. */
  eyeAgreement: number | null;
  stated: Stated;
  subject: string;
};
export type VerificationRow = Selectable<VerificationsTable>;

/** Stores a party's verification and replaces an earlier one. Returns the photo details for the history. */
export async function storeVerification(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  images: VerificationPaths,
): Promise<PhotosRecord> {
  const source = (step: CaptureStep) =>
    sourceOf(tx, {
      userId,
      subject: images.subject,
      step,
      sha256: images[step].sha256,
      stated: images.stated[step],
    });
  const photos: PhotosRecord = {
    profile_pic: { sha256: images.profile_pic.sha256, source: await source('profile_pic') },
    eye: { sha256: images.eye.sha256, source: await source('eye') },
    sign: { sha256: images.sign.sha256, method: images.stated.sign },
    ...(images.eyeAgreement === null ? {} : { eye_agreement: images.eyeAgreement }),
  };
  const values = {
    photo_hints: [
      ...(usesOneTwice(images) ? (['one_image_twice'] as const) : []),
      ...((await isShared(tx, documentId, userId, images)) ? (['shared_image'] as const) : []),
      ...(await noticedAbout(tx, documentId, userId, images)),
      ...(looksUnlike(images.eyeAgreement) ? (['eyes_differ'] as const) : []),
    ],
    eye_agreement: images.eyeAgreement,
    profile_pic_source: photos.profile_pic.source,
    eye_source: photos.eye.source,
    sign_method: images.stated.sign,
    profile_pic_likeness: images.profile_pic.likeness,
    eye_likeness: images.eye.likeness,
    face_box: images.faceBox && JSON.stringify(images.faceBox),
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

const hashesOf = ({ profile_pic, eye, sign, thumb }: VerificationPaths): string[] =>
  [profile_pic, eye, sign, thumb].flatMap((image) => (image ? [image.sha256] : []));

/** The same file as two images: then at least one of them is not genuine. */
function usesOneTwice(images: VerificationPaths): boolean {
  const hashes = hashesOf(images);
  return new Set(hashes).size < hashes.length;
}

/** Returns true if another party of this document sent the same file, as any image. */
async function isShared(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  images: VerificationPaths,
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean }>`
    SELECT EXISTS (
      SELECT FROM verifications
      WHERE document_id = ${documentId} AND user_id <> ${userId}
        AND ARRAY[profile_pic_sha256, eye_sha256, sign_sha256, thumb_sha256] && ${hashesOf(images)}::text[]
    ) AS shared`.execute(tx);
  return rows[0]?.shared === true;
}

/** Detects a photo, or a copy of it, that was sent before for another document or by another user. */
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

export async function verificationsOf(db: Db, documentId: string): Promise<VerificationRow[]> {
  return db.selectFrom('verifications').selectAll().where('document_id', '=', documentId).execute();
}
