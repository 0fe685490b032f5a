/** Details of a document that only the reading view loads. */
import { Type, type Static } from 'typebox';
import { defineRoute, nullable } from '../kit.ts';

export const FileText = Type.Object({
  /** In page order; null for a page without text. Empty if no text was extracted. */
  pages: Type.Array(nullable(Type.String())),
});
export type FileText = Static<typeof FileText>;

export const readingRoutes = {
  fileText: defineRoute({
    method: 'GET',
    path: '/documents/:id/files/:fileId/text',
    access: 'user',
    summary: 'The text of the pages of a file, for those who hear what others see; for involved users',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64 }),
      fileId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    response: { 200: FileText },
  }),
} as const;
