import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { notFinalized } from '../agreements/rules/agreement.errors.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { verificationsOf, type VerificationRow } from '../identity-verification/verification.repository.ts';

/** The recipient determines the files of a court pack and the detail of its history. */
export type PackHolder =
  /** A party gets the party's own photos and signature. */
  | { kind: 'party'; userId: string; name: string }
  /**
   * An admin gets the record with hashes only. The files and all photos need an order of a court or an
   * authority, also the sealed PDF, because it shows faces.
   */
  | { kind: 'admin'; contents: 'record' | 'all' };

export type PackSource = {
  name: string;
  sha256: string;
  bytes: number;
  open: () => Promise<Readable>;
};

/** Files get new names, because users' file names can be equal, or invalid on some disks. */
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

export const uploadName = (ordinal: number): string => `uploads/file-${String(ordinal + 1).padStart(2, '0')}`;

/** Returns the sealed PDF, the uploaded files and the verification images that the recipient may have. */
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
    // A deleted account has no user ID.
    return at < 0 ? [] : imagesOf(row, parties[at]?.char_id ?? `party-${at + 1}`);
  });
}

/** @param whose the start of the file names */
function imagesOf(row: VerificationRow, whose: string): StoredImage[] {
  const name = (what: string) => `evidence/${whose}-${what}`;
  return [
    [name('face-photo'), row.profile_pic, row.profile_pic_sha256],
    [name('eye-photo'), row.eye, row.eye_sha256],
    [name('signature'), row.sign, row.sign_sha256],
    ...(row.thumb && row.thumb_sha256 ? [[name('fingerprint'), row.thumb, row.thumb_sha256] as const] : []),
  ];
}
