/** The creator must accept pages that are kept as pictures and parts of files that are left out. */
import type { LeftOut } from '@karaar/contracts/documents/http';
import { unprocessable } from '@karaar/base/errors';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { fieldFault } from '../../../errors.ts';

const Hashes = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 40 });

type File = {
  name: string;
  sha256: string;
  pictures: readonly number[];
  pictures_accepted_at?: Date | null;
  left_out: readonly LeftOut[];
  left_out_accepted_at?: Date | null;
};

/** Form fields, each a JSON list of SHA-256 hashes. */
export type AcceptedFields = {
  accepted_pictures?: string | undefined;
  accepted_left_out?: string | undefined;
};

/** Lower-case hex SHA-256 of the files for which the sender accepted pictures or omitted parts. */
export type Accepted = { pictures: string[]; leftOut: string[] };

/** Parses the form fields. Throws 422 for a malformed list. */
export const parseAccepted = (fields: AcceptedFields): Accepted => ({
  pictures: hashesOf('accepted_pictures', fields.accepted_pictures),
  leftOut: hashesOf('accepted_left_out', fields.accepted_left_out),
});

function hashesOf(field: keyof AcceptedFields, json: string | undefined): string[] {
  if (!json) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (!Value.Check(Hashes, value)) throw fieldFault(field, 'must be a JSON list of SHA-256');
  return value;
}

const picturesNotAccepted = (file: string, pages: readonly number[]) =>
  unprocessable('pictures_not_accepted', [
    {
      loc: 'accepted_pictures',
      msg: `${pagesOf(file, pages)} would be kept as ${pages.length === 1 ? 'a picture' : 'pictures'} of what viewers show. Please look and accept that, or choose another file.`,
      file,
    },
  ]);

const PARTS: Record<LeftOut, string> = {
  signatures: 'digital signatures',
  scripts: 'scripts',
  xfa: 'form data for Adobe software (XFA)',
  hidden: 'hidden text or layers',
  comments: 'comments',
  media: 'film, sound or 3D',
  objects: 'files of other programs',
  linked: 'pictures or files that are only linked',
  frames: 'all pictures of an animation but the first',
  values: 'values of form fields that the page shows differently or not in full',
  formulas: 'formulas',
};

const partsOf = (parts: readonly LeftOut[]): string => parts.map((part) => PARTS[part]).join(', ');

const leftOutNotAccepted = (file: string, parts: readonly LeftOut[]) =>
  unprocessable('left_out_not_accepted', [
    {
      loc: 'accepted_left_out',
      msg: `"${file}" would be sealed without: ${partsOf(parts)}. Please look and accept that, or choose another file.`,
      file,
    },
  ]);

const withoutParts = (file: string, parts: readonly LeftOut[]): string =>
  `"${file}" is sealed without: ${partsOf(parts)}`;

const pagesOf = (file: string, pages: readonly number[]): string =>
  `${pages.length === 1 ? 'Page' : 'Pages'} ${pages.join(', ')} of "${file}"`;

const asPictures = (file: string, pages: readonly number[]): string =>
  `${pagesOf(file, pages)} ${pages.length === 1 ? 'is kept as a picture' : 'are kept as pictures'}`;

/** Throws 422 for the first file with pictures or omitted parts that were not accepted. */
export function requireAccepted(files: readonly File[], accepted: Accepted): void {
  for (const file of files) {
    const { name, sha256, pictures, left_out: parts } = file;
    if (pictures.length > 0 && !file.pictures_accepted_at && !accepted.pictures.includes(sha256))
      throw picturesNotAccepted(name, pictures);
    if (parts.length > 0 && !file.left_out_accepted_at && !accepted.leftOut.includes(sha256))
      throw leftOutNotAccepted(name, parts);
  }
}

/** Returns the accepted pictures and omitted parts for the history; empty if the creator accepted nothing. */
export const acceptedDetail = (files: readonly File[]): string =>
  files
    .flatMap(({ name, pictures, left_out: parts }) => [
      ...(pictures.length > 0 ? [asPictures(name, pictures)] : []),
      ...(parts.length > 0 ? [withoutParts(name, parts)] : []),
    ])
    .map((accepted) => `; accepted: ${accepted}`)
    .join('');
