/** What is read of a document besides what every answer about it carries. */
import { Type, type Static } from 'typebox';
import { defineRoute, nullable } from '../kit.ts';

/** The text of a file's pages. */
export const FileText = Type.Object({
  /** In order; null of a page that holds no text. Empty where none was made of the file. */
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
