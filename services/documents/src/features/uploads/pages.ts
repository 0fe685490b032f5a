import type { FileText } from '@karaar/contracts/documents/http';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { RawFilesTable } from '../../db/schema.ts';
import type { OnPages } from '@karaar/rendering';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';

export type StoredPages = Pick<
  Selectable<RawFilesTable>,
  | 'pages'
  | 'pictures'
  | 'picture_reasons'
  | 'left_out'
  | 'text_path'
  | 'thumb_path'
  | 'preview_path'
  | 'preview_sha256'
>;

/** Makes a file's pages and stores them under `owner`; leaves nothing on failure. Throws RenderError. */
export async function storePages(
  ctx: Context,
  owner: string,
  file: { name: string; kind: RawFilesTable['kind']; path: string },
  options: { signal?: AbortSignal; onPages?: OnPages; maxMs?: number } = {},
): Promise<StoredPages> {
  const { name, kind, path } = file;
  const made = await ctx.renderer.prepareUpload({ name, kind, path }, options);
  const stored: string[] = [];
  const put = async (bytes: Uint8Array, mime: string) => {
    const blob = await ctx.blobs.put(owner, bytes, { mime });
    stored.push(blob.path);
    return blob;
  };
  try {
    const preview = await put(made.pdf, 'application/pdf');
    const text: FileText = { pages: made.texts };
    return {
      pages: made.pages,
      pictures: made.pictures.map(({ page }) => page),
      picture_reasons: made.pictures.map(({ why }) => why),
      left_out: made.leftOut,
      preview_path: preview.path,
      preview_sha256: preview.sha256,
      thumb_path: (await put(made.thumbnail, 'image/jpeg')).path,
      text_path: (await put(new TextEncoder().encode(JSON.stringify(text)), 'application/json')).path,
    };
  } catch (error) {
    await takeBackFiles(ctx, error, stored);
    throw error;
  }
}
