/** Facts that the documents service publishes; aggregateId is the document id. */
import { Type } from 'typebox';
import { defineEvent } from '../kit.ts';
import { DocumentStatus } from './http.ts';

const Changed = Type.Object({
  document_id: Type.String(),
  status: DocumentStatus,
  primary_user: Type.String(),
  involved_users: Type.Array(Type.String()),
});

export const documentsEvents = {
  created: defineEvent({ type: 'documents.document.created', version: 1, data: Changed }),
  changed: defineEvent({ type: 'documents.document.changed', version: 1, data: Changed }),
  finalized: defineEvent({ type: 'documents.document.finalized', version: 1, data: Changed }),
} as const;
