/** How history and certificate name the photos of a verification. */
import type { PhotosRecord, PhotoSource } from '@karaar/contracts/documents/http';

const WORDS: Record<PhotoSource, string> = { live: 'taken live', uploaded: 'uploaded' };

export const photoWords = (which: 'face' | 'eye', source: PhotoSource): string =>
  `${which} photo ${WORDS[source]}`;

/** `Approved; verified by face, eye and signature (face photo taken live, eye photo uploaded)`. */
export function withSources(detail: string, { profile_pic, eye }: PhotosRecord): string {
  return `${detail} (${photoWords('face', profile_pic.source)}, ${photoWords('eye', eye.source)})`;
}
