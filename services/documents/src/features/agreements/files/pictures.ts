/** Pages that are kept as pictures: nobody makes an agreement of them unasked. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { asPictures, fieldFault, picturesNotAccepted } from '../rules/agreement.errors.ts';

const Accepted = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 40 });

type File = { name: string; sha256: string; pictures: readonly number[]; pictures_accepted_at?: Date | null };

/** The hashes of a form's field. Throws 422. */
export function parseAccepted(json: string | undefined): string[] {
  if (!json) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (!Value.Check(Accepted, value)) throw fieldFault('accepted_pictures', 'must be a JSON list of SHA-256');
  return value;
}

/** Throws 422 for the first file with such pages that was not accepted, now or before. */
export function requireAccepted(files: readonly File[], accepted: readonly string[]): void {
  const file = files.find(
    ({ pictures, sha256, pictures_accepted_at }) =>
      pictures.length > 0 && !pictures_accepted_at && !accepted.includes(sha256),
  );
  if (file) throw picturesNotAccepted(file.name, file.pictures);
}

/** What the history adds when there are such pages: their creator has accepted them. */
export const acceptedDetail = (files: readonly File[]): string =>
  files
    .filter(({ pictures }) => pictures.length > 0)
    .map(({ name, pictures }) => `; accepted: ${asPictures(name, pictures)}`)
    .join('');
