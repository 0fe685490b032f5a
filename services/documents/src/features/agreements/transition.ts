/**
 * The one place in which a document changes: row lock, rules, rows, line of the history and event, in one transaction.
 * Payments alone are written elsewhere, many at once (`charge/charge.service.ts`).
 */
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { PhotosRecord } from '@karaar/contracts/documents/http';
import { inTransaction, type Tx } from '@karaar/platform/db-kit';
import { AppError } from '@karaar/platform/errors';
import { withSources } from '@karaar/rendering';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database, Db } from '../../db/schema.ts';
import { isUuid } from '@karaar/platform/db-kit';
import { appendEvents, goneSince, type NewEvent } from './agreement-events.repository.ts';
import {
  countChange,
  lockAgreement,
  markLogged,
  rawFilesOf,
  saveAgreement,
} from './agreements.repository.ts';
import { readContent } from './approvals/approvals.repository.ts';
import { keepApprovals, type SignedBy } from './approvals/approvals.service.ts';
import { filesDigest, requireShown, type Shown } from './approvals/shown.ts';
import { namesIn } from './party-names.repository.ts';
import {
  acquaintedUsers,
  awaitedUsers,
  findParty,
  involvedUsers,
  type Agreement,
} from './rules/agreement.ts';
import { documentNotFound, removedMeanwhile } from './rules/agreement.errors.ts';

/** Who changes a document, and whom it is about. */
export type Actor = {
  /** Null for what the service does by itself. */
  actorId: string | null;
  /** Who asked and from where; absent for what the service does by itself. */
  caller?: Caller;
  /** Whom it is about, when that is not the actor. */
  subjectId?: string;
};

/** A line of the history. */
export type Line = {
  /** `party.invited`, `document.approved`, … */
  type: string;
  detail: string;
  /** Why, in the actor's own words. */
  reason?: string | null;
  /** Of a verification. */
  photos?: PhotosRecord;
};

export type Rule = (agreement: Agreement) => Agreement;

type HistoryEntry = Pick<NewEvent, 'type' | 'actorId' | 'subjectId' | 'origin' | 'detail'>;

/** The document has changed since it was read; nothing was done. */
export class VersionMoved extends Error {}

/** A document under its row lock, for one change. */
export class AgreementChange {
  readonly tx: Tx<Database>;
  readonly before: Agreement;
  readonly #outbox: Context['outbox'];
  readonly #version: number;
  readonly #actor: Actor;

  constructor(
    outbox: Context['outbox'],
    tx: Tx<Database>,
    locked: { agreement: Agreement; version: number },
    actor: Actor,
  ) {
    this.#outbox = outbox;
    this.tx = tx;
    this.before = locked.agreement;
    this.#version = locked.version;
    this.#actor = actor;
  }

  requireVersion(version: number): void {
    if (this.#version !== version) throw new VersionMoved();
  }

  /** The agreement as the rule makes it. Throws what the rule throws, 409 when a party that it needs was just removed. */
  decide(rule: Rule): Promise<Agreement> {
    return decideOn(this.tx, this.before, this.#actor, rule);
  }

  /** Throws 409 when the document has another content or other parties than an approver was shown. */
  async requireShown(shown: Shown): Promise<void> {
    const content = await readContent(this.tx, this.before.id);
    requireShown(shown, { content, parties: involvedUsers(this.before) });
  }

  /**
   * Writes what the rule has decided: rows, approvals, the line, the lines of approvals that it ends, and the event.
   * @param signed of an approval that is signed with a key of the person's own
   */
  async save(after: Agreement, line: Line, signed?: SignedBy): Promise<void> {
    const { tx, before } = this;
    const { actorId, subjectId = null, caller } = this.#actor;
    const { id } = after;
    const version = this.#version + 1;
    const digest = await digestOf(tx, id);
    await saveAgreement(tx, before, after, version, digest);
    await keepApprovals(tx, before, after, signed);
    const ended = endedForOthers(before, after, actorId);
    const names = await namesIn(tx, id, ended);
    await appendEvents(tx, [
      {
        ...{ documentId: id, actorId, subjectId, origin: caller?.origin, ...worded(line) },
        ...{ statusFrom: before.status, statusTo: after.status, filesSha256: digest },
      },
      ...ended.map((userId) => ({
        documentId: id,
        type: 'party.approval_ended',
        actorId: null,
        subjectId: userId,
        detail: `The approval of ${names.get(userId) || 'Unknown User'} ended because the people in this agreement changed`,
        statusFrom: after.status,
        statusTo: after.status,
        filesSha256: digest,
      })),
    ]);
    await announce(this.#outbox, tx, {
      ...{ before, after, version, change: line.type, actorId, subjectId, ended },
    });
  }
}

/**
 * Runs the steps of one change under the document's row lock, in one transaction. Steps that call no `save` leave version
 * and history as they are.
 * Throws 404 for an unknown document, and what the steps throw.
 */
export async function changeAgreement<T>(
  ctx: Pick<Context, 'db' | 'outbox'>,
  id: string,
  actor: Actor,
  steps: (change: AgreementChange) => Promise<T>,
): Promise<T> {
  if (!isUuid(id)) throw documentNotFound();
  const result = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked) throw documentNotFound();
    return steps(new AgreementChange(ctx.outbox, tx, locked, actor));
  });
  ctx.outbox.wake();
  return result;
}

/** Asks a rule, also before any work is done for a change; under the lock it is asked again. */
export async function decideOn(
  db: Db,
  agreement: Agreement,
  { caller, subjectId }: Actor,
  rule: Rule,
): Promise<Agreement> {
  try {
    return rule(agreement);
  } catch (error) {
    // A person who was removed after the request arrived did nothing wrong: the removal came first.
    if (!caller || !(error instanceof AppError) || (error.status !== 403 && error.status !== 404))
      throw error;
    const subject = subjectId ?? caller.userId;
    if (!(await goneSince(db, agreement.id, subject, caller.since))) throw error;
    throw removedMeanwhile(subject === caller.userId);
  }
}

/** Writes the parties of a new document, and its first line and event; a draft has neither. */
export async function beginAgreement(
  { outbox }: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  agreement: Agreement,
  first?: { caller: Caller; line: Line },
): Promise<void> {
  const { id, status } = agreement;
  const digest = await digestOf(tx, id);
  await saveAgreement(tx, undefined, agreement, 1, digest);
  if (!first) return;
  const { caller, line } = first;
  const actorId = caller.userId;
  await appendEvents(tx, [
    {
      ...{ documentId: id, actorId, origin: caller.origin, ...worded(line) },
      ...{ statusFrom: null, statusTo: status, filesSha256: digest },
    },
  ]);
  await announce(outbox, tx, {
    ...{ before: { ...agreement, status: 'draft' }, after: agreement, version: 1 },
    ...{ change: line.type, actorId, subjectId: null },
  });
}

/**
 * Writes an event that leaves the agreement as it is: the document's next version, a line of the history, the event.
 * @param event.announcedAs whom the event names as the actor, when that is not the actor of the line
 */
export async function recordFact(
  { outbox }: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  agreement: Agreement,
  { announcedAs, ...entry }: HistoryEntry & { announcedAs?: string },
): Promise<void> {
  const version = await countChange(tx, agreement.id);
  await appendEntry(tx, agreement, entry);
  await announce(outbox, tx, {
    ...{ before: agreement, after: agreement, version, change: entry.type },
    ...{ actorId: announcedAs ?? entry.actorId, subjectId: entry.subjectId ?? null },
  });
}

/** Marks a document whose place in the transparency log was verified. */
export async function recordLogged(
  { outbox }: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  { agreement, version }: { agreement: Agreement; version: number },
  index: number,
): Promise<void> {
  const { id, status, primaryUserId } = agreement;
  await markLogged(tx, id, version + 1);
  const detail = `Recorded in the transparency log as entry ${index}`;
  await appendEntry(tx, agreement, { type: 'document.logged', actorId: null, detail });
  await outbox.add(tx, documentsEvents.changed, {
    aggregateId: id,
    aggregateVersion: version + 1,
    data: {
      document_id: id,
      status,
      primary_user: primaryUserId,
      involved_users: involvedUsers(agreement),
      acquainted_users: acquaintedUsers(agreement),
    },
  });
}

async function appendEntry(tx: Tx<Database>, { id, status }: Agreement, entry: HistoryEntry): Promise<void> {
  const filesSha256 = await digestOf(tx, id);
  await appendEvents(tx, [{ documentId: id, ...entry, statusFrom: status, statusTo: status, filesSha256 }]);
}

const digestOf = async (tx: Tx<Database>, id: string): Promise<string> =>
  filesDigest(await rawFilesOf(tx, id));

/** The line with the origins of its photos in words. */
const worded = (line: Line): Line =>
  line.photos ? { ...line, detail: withSources(line.detail, line.photos) } : line;

/** Whose approvals ended by another person's act. */
const endedForOthers = (before: Agreement, after: Agreement, actorId: string | null): string[] =>
  before.parties
    .filter(
      ({ userId, approved }) =>
        approved && findParty(after, userId)?.approved === false && userId !== actorId,
    )
    .map(({ userId }) => userId);

/** Tells the other services, and by them the screens, that a document changed. */
async function announce(
  outbox: Context['outbox'],
  tx: Tx<Database>,
  change: {
    before: Agreement;
    after: Agreement;
    version: number;
    change: string;
    actorId: string | null;
    subjectId: string | null;
    /** Parties whose approvals ended by this change. */
    ended?: readonly string[];
  },
): Promise<void> {
  const { before, after, ended = [] } = change;
  await outbox.add(tx, eventOf(before, after), {
    aggregateId: after.id,
    aggregateVersion: change.version,
    data: {
      document_id: after.id,
      status: after.status,
      primary_user: after.primaryUserId,
      involved_users: involvedUsers(after),
      acquainted_users: acquaintedUsers(after),
      affected_users: [...new Set([...before.parties, ...after.parties].map((party) => party.userId))],
      change: change.change,
      actor_id: change.actorId,
      subject_id: change.subjectId,
      awaited_users: awaitedUsers(after),
      ...(ended.length > 0 ? { ended_approvals: [...ended] } : {}),
    },
  });
}

function eventOf(before: Agreement, after: Agreement) {
  if (after.status === 'finalized' && before.status !== 'finalized') return documentsEvents.finalized;
  return before.status === 'draft' && after.status !== 'draft'
    ? documentsEvents.created
    : documentsEvents.changed;
}
