/** How history and certificate name the photos and the signature of a verification. */
import type { PhotosRecord, PhotoSource, SignMethod } from '@karaar/contracts/documents/http';

const WORDS: Record<PhotoSource, string> = {
  live: 'taken live',
  device: 'from the device',
  unstated: 'of unstated origin',
};

const METHODS: Record<SignMethod, string> = {
  drawn: 'signature drawn',
  typed: 'signature typed',
  uploaded: 'signature uploaded as a picture',
  unstated: 'signature, method not stated',
};

export const photoWords = (which: 'face' | 'eye', source: PhotoSource): string =>
  `${which} photo ${WORDS[source]}`;

export const signWords = (method: SignMethod): string => METHODS[method];

/** `Approved; verified by face, eye and signature (face photo taken live, eye photo from the device); signature drawn`. */
export function withSources(detail: string, { profile_pic, eye, sign }: PhotosRecord): string {
  const photos = `${photoWords('face', profile_pic.source)}, ${photoWords('eye', eye.source)}`;
  return `${detail} (${photos})${sign ? `; ${signWords(sign.method)}` : ''}`;
}
