import type { DocumentStatus, PhotosRecord } from '@karaar/contracts/documents/http';
import { uuidv7, type Tx } from '@karaar/db';
import type { Origin } from '../../caller.ts';
import type { Database, Db } from '../../db/schema.ts';
import { isUuid } from '@karaar/db';
import { recordNames, type Rename } from './party-names.repository.ts';

export type NewEvent = {
  documentId: string;
  type: string;
  actorId: string | null;
  /** The user whom the event is about, if that is not the actor. */
  subjectId?: string | null;
  origin?: Origin | undefined;
  detail: string;
  statusFrom: DocumentStatus | null;
  statusTo: DocumentStatus;
  filesSha256: string;
  photos?: PhotosRecord | undefined;
  /** In the actor's own words. */
  reason?: string | null | undefined;
};

/** Appends events in order; a user who was renamed since the last event gets a rename event first. */
export async function appendEvents(tx: Tx<Database>, events: readonly NewEvent[]): Promise<void> {
  const renames = await renamesBefore(tx, events);
  await insertEvents(tx, [...renames, ...events]);
}

async function renamesBefore(tx: Tx<Database>, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const acts = events.flatMap((event) =>
    [event.actorId, event.subjectId ?? null]
      .filter((id) => id !== null)
      .map((userId) => ({ documentId: event.documentId, userId, event })),
  );
  return (await recordNames(tx, acts)).map((rename) => {
    const { documentId, statusFrom, statusTo, filesSha256 } = rename.event;
    const status = statusFrom ?? statusTo;
    return { documentId, ...renamed(rename), statusFrom: status, statusTo: status, filesSha256 };
  });
}

export const renamed = ({ userId, from, to }: Rename) => ({
  type: 'party.renamed',
  actorId: userId,
  detail: `Changed the name of the account from “${from}” to “${to}”`,
});

async function insertEvents(tx: Tx<Database>, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
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
        reason: event.reason ?? null,
      })),
    )
    .execute();
}

/** Returns true if the user was removed from the document, or withdrew, at or after `since`. */
export async function goneSince(db: Db, documentId: string, userId: string, since: Date): Promise<boolean> {
  return (
    (await leftSince(db, documentId, userId, since)) ||
    happenedSince(db, documentId, since, { type: 'party.removed', subject_id: userId })
  );
}

/** Returns true if the user withdrew from the document at or after `since`. */
export const leftSince = (db: Db, documentId: string, userId: string, since: Date): Promise<boolean> =>
  happenedSince(db, documentId, since, { type: 'party.withdrawn', actor_id: userId });

async function happenedSince(
  db: Db,
  documentId: string,
  since: Date,
  line: { type: string; actor_id: string } | { type: string; subject_id: string },
): Promise<boolean> {
  const [column, userId] =
    'actor_id' in line ? (['actor_id', line.actor_id] as const) : (['subject_id', line.subject_id] as const);
  if (!isUuid(userId)) return false;
  const row = await db
    .selectFrom('document_events')
    .select('id')
    .where('document_id', '=', documentId)
    .where('type', '=', line.type)
    .where(column, '=', userId)
    .where('at', '>=', since)
    .executeTakeFirst();
  return row !== undefined;
}
