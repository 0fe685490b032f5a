/**
 * Sources as earlier versions stored them. Their `uploaded` meant only that no capture was bound to the photo, from a
 * camera or from a file: it is read as `unstated` today.
 */
import type { PhotosRecord, PhotoSource } from '@karaar/contracts/documents/http';
import { photoWords } from '@karaar/rendering';

export type StoredSource = PhotoSource | 'uploaded';
type StoredPhoto = { sha256: string; source: StoredSource };
export type StoredPhotos = Omit<PhotosRecord, 'profile_pic' | 'eye'> & {
  profile_pic: StoredPhoto;
  eye: StoredPhoto;
};

export const readSource = (stored: StoredSource): PhotoSource =>
  stored === 'uploaded' ? 'unstated' : stored;

const readPhoto = ({ sha256, source }: StoredPhoto) => ({ sha256, source: readSource(source) });

/** A line of the history, its words included: the rows themselves are append-only. */
export function readLine<L extends { detail: string; photos: StoredPhotos | null }>(
  line: L,
): Omit<L, 'photos'> & { photos: PhotosRecord | null } {
  const { photos } = line;
  if (!photos) return { ...line, photos };
  const worded = (detail: string, which: 'face' | 'eye', { source }: StoredPhoto): string =>
    source === 'uploaded' ? detail.replace(`${which} photo uploaded`, photoWords(which, 'unstated')) : detail;
  return {
    ...line,
    detail: worded(worded(line.detail, 'face', photos.profile_pic), 'eye', photos.eye),
    photos: { ...photos, profile_pic: readPhoto(photos.profile_pic), eye: readPhoto(photos.eye) },
  };
}
