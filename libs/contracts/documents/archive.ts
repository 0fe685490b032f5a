/** Hiding of documents from a user's own list. */
import { defineRoute, IdParams, MessageBody } from '../kit.ts';

export const archiveRoutes = {
  archive: defineRoute({
    method: 'PUT',
    path: '/documents/:id/archive',
    access: 'user',
    summary: "Hide a document from the caller's own list, unless it needs the caller",
    params: IdParams,
    response: { 200: MessageBody },
  }),
  restore: defineRoute({
    method: 'DELETE',
    path: '/documents/:id/archive',
    access: 'user',
    summary: "Show an archived document in the caller's own list again",
    params: IdParams,
    response: { 200: MessageBody },
  }),
} as const;
