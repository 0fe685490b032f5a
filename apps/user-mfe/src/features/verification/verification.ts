/** The images with which a party verifies, and what may still be missing (spec §4, §5). */
import type { KeyOf } from '@karaar/i18n';
import type { CaptureHint, PhotoOrigin, SignMethod } from '@karaar/ui';
import type en from './texts/en.json';

type Text = KeyOf<typeof en>;

export type PhotoPart = 'profile_pic' | 'eye';
export type VerificationPart = PhotoPart | 'sign' | 'thumb';

/** How the images came to be, as far as it is known: the record says so. */
export type Origins = {
  profile_pic_source?: PhotoOrigin;
  eye_source?: PhotoOrigin;
  sign_method?: SignMethod;
};

export type Verification = Partial<Record<VerificationPart, File>> & Origins;

export type CompleteVerification = Record<PhotoPart | 'sign', File> & { thumb?: File } & Origins;

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

/** A photo that was taken, and where it came from. */
export function withPhoto(
  files: Verification,
  part: PhotoPart,
  photo: File,
  origin: PhotoOrigin,
): Verification {
  return { ...files, [part]: photo, [`${part}_source`]: origin };
}

/** The images of a verification that are sent with a form. */
export function imagesOf({ profile_pic, eye, sign }: CompleteVerification): Record<PhotoPart | 'sign', File> {
  return { profile_pic, eye, sign };
}

/** The fields that say how the images came to be; none for what is not known. */
export function originsOf({ profile_pic_source, eye_source, sign_method }: Origins): Origins {
  return {
    ...(profile_pic_source ? { profile_pic_source } : {}),
    ...(eye_source ? { eye_source } : {}),
    ...(sign_method ? { sign_method } : {}),
  };
}

/** Whether a photo may come from the device as well as from the camera (spec §2: only where one creates or joins). */
export const takesUploads = (purpose: Purpose): boolean => purpose === 'create' || purpose === 'join';

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
