/** The words of history and certificate for the photos and the signature of a verification. */
import type { PhotosRecord, PhotoSource, SignMethod } from '@karaar/contracts/documents/http';
import en from './texts/en.json' with { type: 'json' };
import type { Key } from './words.ts';

/** Keys of the certificate's texts. */
export const PHOTO_WORDS = {
  face: { live: 'faceLive', device: 'faceDevice', unstated: 'faceUnstated' },
  eye: { live: 'eyeLive', device: 'eyeDevice', unstated: 'eyeUnstated' },
} as const satisfies Record<'face' | 'eye', Record<PhotoSource, Key>>;

export const SIGN_WORDS = {
  drawn: 'signDrawn',
  typed: 'signTyped',
  uploaded: 'signUploaded',
  unstated: 'signUnstated',
} as const satisfies Record<SignMethod, Key>;

export const photoWords = (which: 'face' | 'eye', source: PhotoSource): string =>
  en[PHOTO_WORDS[which][source]];

export const signWords = (method: SignMethod): string => en[SIGN_WORDS[method]];

/** `Approved; verified by face, eye and signature (face photo taken live, eye photo from the device); signature drawn`. */
export function withSources(detail: string, { profile_pic, eye, sign }: PhotosRecord): string {
  const photos = `${photoWords('face', profile_pic.source)}, ${photoWords('eye', eye.source)}`;
  return `${detail} (${photos})${sign ? `; ${signWords(sign.method)}` : ''}`;
}
