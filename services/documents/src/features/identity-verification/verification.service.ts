import { createReadStream } from 'node:fs';
import type { FaceBox, PhotosRecord } from '@karaar/contracts/documents/http';
import type { CheckAnswer } from '@karaar/contracts/vision/http';
import type { Tx } from '@karaar/db';
import type { SpooledFile } from '@karaar/http';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import { requireReadable } from './evidence.ts';
import { agreementOf } from './eye-agreement.ts';
import { likenessOf } from './likeness.ts';
import type { Stated } from './sent.ts';
import { storeVerification, type VerificationPaths } from './verification.repository.ts';
import { fieldFault } from '../../errors.ts';

export type VerificationImages = {
  profile_pic: SpooledFile;
  eye: SpooledFile;
  sign: SpooledFile;
  thumb?: SpooledFile | undefined;
  stated: Stated;
};

export type TakenVerification = {
  save: (tx: Tx<Database>, documentId: string) => Promise<PhotosRecord>;
  /** Deletes the stored images after the change failed with `error`. */
  discard: (error: unknown) => Promise<void>;
};

const faceBoxOf = ({ boxes: [box] }: CheckAnswer): FaceBox | null =>
  box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null;

/**
 * Decodes all images, has vision check face and eye, and stores the images under the user's own key. Throws
 * 422 with the image that does not decode, is blank or has no face or eye; 503 if vision is down.
 * @param subject the purpose of the photos (see captureSubject)
 */
export async function takeVerification(
  ctx: Context,
  userId: string,
  images: VerificationImages,
  subject: string,
): Promise<TakenVerification> {
  await requireReadable(images);
  const [face, eye, ...likenesses] = await Promise.all([
    ctx.photoCheck(images.profile_pic, 'faces'),
    ctx.photoCheck(images.eye, 'eyes'),
    likenessOf(images.profile_pic.path),
    likenessOf(images.eye.path),
  ]);
  if (!face.ok) throw fieldFault('profile_pic', 'No face detected. Please retake.');
  if (!eye.ok) throw fieldFault('eye', 'No eye detected. Please retake.');

  const stored: string[] = [];
  const discard = (error: unknown) => takeBackFiles(ctx, error, stored);
  const put = async (file: SpooledFile) => {
    const blob = await ctx.blobs.put(userId, createReadStream(file.path), { mime: file.mime });
    stored.push(blob.path);
    return { path: blob.path, sha256: file.sha256 };
  };
  try {
    const paths: VerificationPaths = {
      profile_pic: { ...(await put(images.profile_pic)), likeness: likenesses[0] },
      faceBox: faceBoxOf(face),
      eye: { ...(await put(images.eye)), likeness: likenesses[1] },
      sign: await put(images.sign),
      stated: images.stated,
      thumb: images.thumb ? await put(images.thumb) : null,
      // Only the score is stored, not the data about the eyes.
      eyeAgreement: agreementOf(face.eyes, eye.eyes),
      subject,
    };
    return { save: (tx, documentId) => storeVerification(tx, documentId, userId, paths), discard };
  } catch (error) {
    await discard(error);
    throw error;
  }
}
