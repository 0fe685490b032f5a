/** The images with which a party verifies, and what may still be missing (spec §4, §5). */
import type { KeyOf } from '@karaar/i18n';
import type { CaptureHint } from '@karaar/ui';
import type en from './texts/en.json';

type Text = KeyOf<typeof en>;

export type PhotoPart = 'profile_pic' | 'eye';
export type VerificationPart = PhotoPart | 'sign' | 'thumb';
export type Verification = Partial<Record<VerificationPart, File>>;

export type CompleteVerification = Record<PhotoPart | 'sign', File> & { thumb?: File };

/** What each use of the dialog asks for and how it says that something is missing. */
export type Purpose = 'create' | 'join' | 'self-verify' | 'accept';

/** The text for what is missing, or null when all is there. */
export function missingText(purpose: Purpose, files: Verification): Text | null {
  const { profile_pic, eye, sign, thumb } = files;
  if (purpose === 'accept') return profile_pic && eye && sign && thumb ? null : 'allFourMissing';
  if (purpose === 'self-verify') return profile_pic && eye && sign ? null : 'allThreeMissing';
  if (!profile_pic) return 'captureProfile';
  if (!eye) return 'captureEye';
  return sign ? null : 'signatureMissing';
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

/** The text for a photo in which the server found nothing. */
export const notFoundText = (part: PhotoPart): Text => (part === 'profile_pic' ? 'noFace' : 'noEye');

const hints: Record<string, CaptureHint> = {
  multiple_faces: 'onePerson',
  eyes_closed: 'openEyes',
  too_dark: 'moreLight',
  too_bright: 'lessLight',
  blurred: 'holdStill',
  too_small: 'closer',
};

/** What to do better, for the reasons (VisionReason) that say more than that nothing was found. */
export const reasonHint = (reason: string | undefined): CaptureHint | null =>
  (reason !== undefined && hints[reason]) || null;
