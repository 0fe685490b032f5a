/** Files that are uploaded before their form: seen by their sender only, checked, deleted after a day. */
import { createReadStream } from 'node:fs';
import { conflict, notFound, tooManyRequests } from '@karaar/base/errors';
import { uuidv7, type Tx } from '@karaar/db';
import type { SpooledFile } from '@karaar/http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { acceptedKind, requireSizes } from './file-rules.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import {
  deleteUploads,
  findUploads,
  heldBy,
  insertUpload,
  type ReadyUpload,
  type UploadRow,
} from './uploads.repository.ts';
import { fieldFault } from '../../errors.ts';
import { fileRefused, type FileRefusal } from './refusals.ts';

const KEPT_HOURS = 24;
/** Unused uploads per user: two full forms. */
const MOST_FILES = 40;
const Ids = Type.Array(Type.String({ format: 'uuid' }), { maxItems: 20, uniqueItems: true });

export const uploadNotFound = () =>
  notFound('upload_not_found', 'This file is not there. Please upload it again.');
export const uploadTaken = () =>
  conflict('upload_taken', 'A file was used or removed in the meantime. Please upload it again.');
export const uploadNotReady = (name: string) =>
  conflict('upload_not_ready', `"${name}" is still being checked. Please wait a moment.`);

/** Stores a file and queues its check. Throws 413; 422 for another type; 429 for too many unused uploads. */
export async function keepUpload(ctx: Context, userId: string, file: SpooledFile): Promise<UploadRow> {
  requireSizes(ctx.config, [file], 0);
  const kind = acceptedKind(file);
  const held = await heldBy(ctx.db, userId);
  const most = 2 * ctx.config.UPLOAD_TOTAL_MAX_MB * 1024 * 1024;
  if (held.files >= MOST_FILES || held.bytes + file.size > most) {
    throw tooManyRequests('You have too many files that no document has. Use or remove some first.', 60);
  }
  const id = uuidv7();
  const { filename: name, mime, size, sha256 } = file;
  const blob = await ctx.blobs.put(id, createReadStream(file.path), { mime });
  try {
    const row = { id, user_id: userId, name, kind, mime, size, sha256, path: blob.path };
    const upload = await insertUpload(ctx.db, row, KEPT_HOURS);
    ctx.uploads.wake();
    return upload;
  } catch (error) {
    await takeBackFiles(ctx, error, [blob.path], id);
    throw error;
  }
}

export async function getUpload(ctx: Context, userId: string, id: string): Promise<UploadRow> {
  const [upload] = isId(id) ? await findUploads(ctx.db, userId, [id]) : [];
  if (!upload) throw uploadNotFound();
  return upload;
}

export async function throwAway(ctx: Context, userId: string, id: string): Promise<void> {
  await getUpload(ctx, userId, id);
  if ((await deleteUploads(ctx.db, userId, [id])) > 0) await ctx.blobs.eraseOwner(id);
}

const isId = (id: string): boolean => Value.Check(Type.String({ format: 'uuid' }), id);

/** Parses the form field. Throws 422 for an invalid list. */
export function parseUploads(json: string | undefined): string[] {
  if (!json) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (!Value.Check(Ids, value)) throw fieldFault('uploads', 'must be a JSON list of upload ids');
  return value;
}

/** Returns the uploads in the order of the ids. Throws 404, 409 during a check, 422 for a refused one. */
export async function readyUploads(
  ctx: Context,
  userId: string,
  ids: readonly string[],
): Promise<ReadyUpload[]> {
  const found = new Map((await findUploads(ctx.db, userId, ids)).map((upload) => [upload.id, upload]));
  return ids.map((id) => {
    const upload = found.get(id);
    if (!upload) throw uploadNotFound();
    if (upload.state === 'refused') {
      throw fileRefused((upload.fault ?? 'broken') as FileRefusal, upload.name, upload.reason ?? upload.name);
    }
    if (!isReady(upload)) throw uploadNotReady(upload.name);
    return upload;
  });
}

const isReady = (upload: UploadRow): upload is ReadyUpload => upload.state === 'ready';

/** Runs in the transaction that adds the files to a document, so that each upload is used once. */
export async function useUploads(tx: Tx<Database>, userId: string, ids: readonly string[]): Promise<void> {
  if ((await deleteUploads(tx, userId, ids)) !== ids.length) throw uploadTaken();
}
