/** The stored files of a court pack: the sealed PDF, what was uploaded, and the photos that its holder may have. */
import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { notFinalized } from '../agreements/rules/agreement.errors.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { verificationsOf, type VerificationRow } from '../identity-verification/verification.repository.ts';

/** For whom a court pack is made: this decides which files are in it and how much of the history. */
export type PackHolder =
  /** A party gets the party's own photos and signature. */
  | { kind: 'party'; userId: string; name: string }
  /**
   * An admin gets the record, with hashes in place of every file and photo. Under an order of a court or an authority the
   * files and the photos of every party are in it as well: the sealed PDF shows their faces.
   */
  | { kind: 'admin'; contents: 'record' | 'all' };

/** A file of the pack: its line in the list, and its bytes. */
export type PackSource = {
  name: string;
  sha256: string;
  bytes: number;
  open: () => Promise<Readable>;
};

/** The pack uses file names of its own: two users' names may be the same, and not every name is valid on every disk. */
const EXTENSIONS: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

async function stored(ctx: Context, name: string, path: string, sha256: string): Promise<PackSource> {
  const { size, mime } = await ctx.blobs.stat(path);
  const extension = EXTENSIONS[mime];
  return {
    name: extension ? `${name}.${extension}` : name,
    sha256,
    bytes: size,
    open: async () => (await ctx.blobs.open(path)).stream,
  };
}

/** The name that an uploaded file has in the pack, by its place in the document. */
export const uploadName = (ordinal: number): string => `uploads/file-${String(ordinal + 1).padStart(2, '0')}`;

/** The sealed PDF, the uploaded files, then the images by which people verified, as far as the holder may have them. */
export async function storedFilesOf(
  ctx: Context,
  record: DocumentRecord,
  holder: PackHolder,
): Promise<PackSource[]> {
  if (holder.kind === 'admin' && holder.contents === 'record') return [];
  const { document_code, final_path, final_sha256 } = record.document;
  if (!final_path || !final_sha256) throw notFinalized();
  const files = [
    [`agreement-${document_code}`, final_path, final_sha256] as const,
    ...record.rawFiles.map(({ ordinal, path, sha256 }) => [uploadName(ordinal), path, sha256] as const),
    ...(await imagesFor(ctx, record, holder)),
  ];
  return Promise.all(files.map(([name, path, sha256]) => stored(ctx, name, path, sha256)));
}

type StoredImage = readonly [name: string, path: string, sha256: string];

async function imagesFor(
  ctx: Context,
  { document, parties }: DocumentRecord,
  holder: PackHolder,
): Promise<StoredImage[]> {
  const rows = await verificationsOf(ctx.db, document.id);
  if (holder.kind === 'party')
    return rows.filter(({ user_id }) => user_id === holder.userId).flatMap((row) => imagesOf(row, 'my'));
  return rows.flatMap((row) => {
    const at = parties.findIndex(({ user_id }) => user_id === row.user_id);
    // A deleted account has no user ID any more.
    return at < 0 ? [] : imagesOf(row, parties[at]?.char_id ?? `party-${at + 1}`);
  });
}

/** @param whose begins the files' names */
function imagesOf(row: VerificationRow, whose: string): StoredImage[] {
  const name = (what: string) => `evidence/${whose}-${what}`;
  return [
    [name('face-photo'), row.profile_pic, row.profile_pic_sha256],
    [name('eye-photo'), row.eye, row.eye_sha256],
    [name('signature'), row.sign, row.sign_sha256],
    ...(row.thumb && row.thumb_sha256 ? [[name('fingerprint'), row.thumb, row.thumb_sha256] as const] : []),
  ];
}
