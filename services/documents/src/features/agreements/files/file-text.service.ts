import { FileText } from '@karaar/contracts/documents/http';
import { Value } from 'typebox/value';
import type { Context } from '../../../context.ts';
import { fileNotFound } from '../rules/agreement.errors.ts';
import { getInvolvedDocument } from '../agreements.service.ts';

/**
 * Returns the text of a file's pages, for screen readers.
 * @throws 404 for an unknown document or file, 403 if the document does not involve the viewer
 */
export async function textOfFile(
  ctx: Context,
  viewerId: string,
  id: string,
  fileId: string,
): Promise<FileText> {
  const { rawFiles } = await getInvolvedDocument(ctx, viewerId, id);
  const file = rawFiles.find((each) => each.id === fileId);
  if (!file) throw fileNotFound();
  const bytes = await ctx.blobs.read(file.text_path);
  return Value.Parse(FileText, JSON.parse(new TextDecoder().decode(bytes)));
}
