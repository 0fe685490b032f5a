/** The images with which a party verifies, and what may still be missing (spec §4, §5). */
import { verificationTexts as texts } from './texts.ts';

export type PhotoPart = 'profile_pic' | 'eye';
export type VerificationPart = PhotoPart | 'sign' | 'thumb';
export type Verification = Partial<Record<VerificationPart, File>>;

export type CompleteVerification = Record<PhotoPart | 'sign', File> & { thumb?: File };

/** What each use of the dialog asks for and how it says that something is missing. */
export type Purpose = 'create' | 'join' | 'self-verify' | 'accept';

/** The message for what is missing, or null when all is there. */
export function missingText(purpose: Purpose, files: Verification): string | null {
  const { profile_pic, eye, sign, thumb } = files;
  if (purpose === 'accept') return profile_pic && eye && sign && thumb ? null : texts.allFourMissing;
  if (purpose === 'self-verify') return profile_pic && eye && sign ? null : texts.allThreeMissing;
  if (!profile_pic) return texts.captureProfile;
  if (!eye) return texts.captureEye;
  return sign ? null : texts.signatureMissing;
}

/** Narrows a set of images in which nothing is missing. */
export function isComplete(purpose: Purpose, files: Verification): files is CompleteVerification {
  return missingText(purpose, files) === null;
}

/** The parts that a purpose shows, in the order in which they are taken: face, eye, then the rest. */
export function partsOf(purpose: Purpose): readonly VerificationPart[] {
  return purpose === 'accept' ? ['profile_pic', 'eye', 'sign', 'thumb'] : ['profile_pic', 'eye', 'sign'];
}

/** The photo to take after one was taken, so that face and eye follow each other; null when both exist. */
export function nextPhoto(files: Verification): PhotoPart | null {
  if (!files.profile_pic) return 'profile_pic';
  return files.eye ? null : 'eye';
}

/** JPEG quality: 0.85, but 0.8 in the dashboard's capture (spec §9). */
export const photoQuality = (purpose: Purpose): number => (purpose === 'accept' ? 0.8 : 0.85);

export const photoFileName = (part: PhotoPart): string =>
  part === 'profile_pic' ? 'profile_capture.jpg' : 'eye_capture.jpg';

export const detectType = (part: PhotoPart): 'faces' | 'eyes' => (part === 'profile_pic' ? 'faces' : 'eyes');

/** The message for a photo in which the server found nothing. */
export const notFoundText = (part: PhotoPart): string =>
  part === 'profile_pic' ? texts.noFace : texts.noEye;
