/** Writes the append-only history of documents. */
import type { DocumentStatus, PhotosRecord } from '@karaar/contracts/documents/http';
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Kysely } from 'kysely';
import type { Origin } from '../../caller.ts';
import type { Database } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';

type Db = Kysely<Database> | Tx<Database>;
export type NewEvent = {
  documentId: string;
  type: string;
  actorId: string | null;
  /** Whom it is about, when that is not the actor. */
  subjectId?: string | null;
  origin?: Origin | undefined;
  detail: string;
  statusFrom: DocumentStatus | null;
  statusTo: DocumentStatus;
  filesSha256: string;
  /** Of a verification. */
  photos?: PhotosRecord | undefined;
};

export const appendEvent = (tx: Tx<Database>, event: NewEvent): Promise<void> => appendEvents(tx, [event]);

/** Appends lines in their order. */
export async function appendEvents(tx: Tx<Database>, events: readonly NewEvent[]): Promise<void> {
  await tx
    .insertInto('document_events')
    .values(
      events.map((event) => ({
        id: uuidv7(),
        document_id: event.documentId,
        type: event.type,
        actor_id: event.actorId,
        subject_id: event.subjectId ?? null,
        detail: event.detail,
        status_from: event.statusFrom,
        status_to: event.statusTo,
        files_sha256: event.filesSha256,
        from_address: event.origin?.address ?? null,
        from_device: event.origin?.device ?? null,
        photos: event.photos ? JSON.stringify(event.photos) : null,
      })),
    )
    .execute();
}

/** Was this user taken off the document at or after a moment? */
export async function removedSince(
  db: Db,
  documentId: string,
  userId: string,
  since: Date,
): Promise<boolean> {
  if (!isUuid(userId)) return false;
  const row = await db
    .selectFrom('document_events')
    .select('id')
    .where('document_id', '=', documentId)
    .where('type', '=', 'party.removed')
    .where('subject_id', '=', userId)
    .where('at', '>=', since)
    .executeTakeFirst();
  return row !== undefined;
}
