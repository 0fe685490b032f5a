/** The images of a verification, and those that are missing (spec §4, §5). */
import type { KeyOf } from '@karaar/i18n';
import type { CaptureHint, PhotoOrigin, SignMethod } from '@karaar/ui';
import type en from './texts/en.json';

type Text = KeyOf<typeof en>;

export type PhotoPart = 'profile_pic' | 'eye';
export type VerificationPart = PhotoPart | 'sign' | 'thumb';

/** The origin of each image, if known; it is recorded. */
export type Origins = {
  profile_pic_source?: PhotoOrigin;
  eye_source?: PhotoOrigin;
  sign_method?: SignMethod;
};

export type Verification = Partial<Record<VerificationPart, File>> & Origins;

export type CompleteVerification = Record<PhotoPart | 'sign', File> & { thumb?: File } & Origins;

/** The required images of each use of the dialog, and the texts for missing ones. */
export type Purpose = 'create' | 'join' | 'self-verify' | 'accept';

/** Returns the text for a missing image, or null if all exist. */
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

/** Returns the parts of a purpose in order: face, eye, then the rest. */
export function partsOf(purpose: Purpose): readonly VerificationPart[] {
  return purpose === 'accept' ? ['profile_pic', 'eye', 'sign', 'thumb'] : ['profile_pic', 'eye', 'sign'];
}

/** Returns the first missing part of a purpose, or `done`. */
export function nextPart(purpose: Purpose, files: Verification): VerificationPart | 'done' {
  return partsOf(purpose).find((part) => !files[part]) ?? 'done';
}

/** Returns the next photo after one was taken (face, then eye); null if both exist. */
export function nextPhoto(files: Verification): PhotoPart | null {
  if (!files.profile_pic) return 'profile_pic';
  return files.eye ? null : 'eye';
}

/** Returns the files with a photo and its origin. */
export function withPhoto(
  files: Verification,
  part: PhotoPart,
  photo: File,
  origin: PhotoOrigin,
): Verification {
  return { ...files, [part]: photo, [`${part}_source`]: origin };
}

/** Returns the images that are sent with a form. */
export function imagesOf({ profile_pic, eye, sign }: CompleteVerification): Record<PhotoPart | 'sign', File> {
  return { profile_pic, eye, sign };
}

/** Returns the fields for the origin of the images; unknown ones are left out. */
export function originsOf({ profile_pic_source, eye_source, sign_method }: Origins): Origins {
  return {
    ...(profile_pic_source ? { profile_pic_source } : {}),
    ...(eye_source ? { eye_source } : {}),
    ...(sign_method ? { sign_method } : {}),
  };
}

/** Returns true if a photo may also be uploaded (spec §2: only when creating or joining). */
export const takesUploads = (purpose: Purpose): boolean => purpose === 'create' || purpose === 'join';

/** JPEG quality: 0.85, but 0.8 in the dashboard's capture (spec §9). */
export const photoQuality = (purpose: Purpose): number => (purpose === 'accept' ? 0.8 : 0.85);

export const photoFileName = (part: PhotoPart): string =>
  part === 'profile_pic' ? 'profile_capture.jpg' : 'eye_capture.jpg';

export const detectType = (part: PhotoPart): 'faces' | 'eyes' => (part === 'profile_pic' ? 'faces' : 'eyes');

/** Returns the text for a photo in which the server found nothing. */
export const notFoundText = (part: PhotoPart): Text => (part === 'profile_pic' ? 'noFace' : 'noEye');

const hints: Record<string, CaptureHint> = {
  multiple_faces: 'onePerson',
  eyes_closed: 'openEyes',
  too_dark: 'moreLight',
  too_bright: 'lessLight',
  blurred: 'holdStill',
  too_small: 'closer',
};

/** Returns a hint for reasons (VisionReason) other than that nothing was found. */
export const reasonHint = (reason: string | undefined): CaptureHint | null =>
  (reason !== undefined && hints[reason]) || null;
