/**
 * Changes documents: row lock, rules, rows, history and event in one transaction. Only payments are written
 * elsewhere, in batches (`charge/charge.service.ts`).
 */
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { PhotosRecord } from '@karaar/contracts/documents/http';
import { inTransaction, type Tx } from '@karaar/db';
import { AppError } from '@karaar/base/errors';
import { withSources } from '@karaar/rendering';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database, Db } from '../../db/schema.ts';
import { isUuid } from '@karaar/db';
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

export type Actor = {
  /** Null if the service acts by itself. */
  actorId: string | null;
  caller?: Caller;
  /** The user whom the change is about, if that is not the actor. */
  subjectId?: string;
};

export type Line = {
  /** `party.invited`, `document.approved`, … */
  type: string;
  detail: string;
  reason?: string | null;
  photos?: PhotosRecord;
};

export type Rule = (agreement: Agreement) => Agreement;

type HistoryEntry = Pick<NewEvent, 'type' | 'actorId' | 'subjectId' | 'origin' | 'detail'>;

/** The document changed after it was read, so the change was not made. */
export class VersionMoved extends Error {}

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

  /** Applies a rule. Throws the rule's error, or 409 if a party that the rule needs was just removed. */
  decide(rule: Rule): Promise<Agreement> {
    return decideOn(this.tx, this.before, this.#actor, rule);
  }

  /** Throws 409 if the content or the parties differ from those that the approver was shown. */
  async requireShown(shown: Shown): Promise<void> {
    const content = await readContent(this.tx, this.before.id);
    requireShown(shown, { content, parties: involvedUsers(this.before) });
  }

  /**
   * Writes the result of a rule: rows, approvals, history and the event.
   * @param signed the passkey signature of an approval
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
 * Runs the steps of one change under the document's row lock, in one transaction. Without a call of `save`,
 * version and history stay as they are. Throws 404 for an unknown document, and the errors of the steps.
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

/** Applies a rule, also before a change begins; under the lock, it runs again. */
export async function decideOn(
  db: Db,
  agreement: Agreement,
  { caller, subjectId }: Actor,
  rule: Rule,
): Promise<Agreement> {
  try {
    return rule(agreement);
  } catch (error) {
    // A user who was removed after the request arrived did nothing wrong, so the error names the removal.
    if (!caller || !(error instanceof AppError) || (error.status !== 403 && error.status !== 404))
      throw error;
    const subject = subjectId ?? caller.userId;
    if (!(await goneSince(db, agreement.id, subject, caller.since))) throw error;
    throw removedMeanwhile(subject === caller.userId);
  }
}

/** Writes the parties of a new document, with its first history entry and event; a draft has neither. */
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
 * Records an event that does not change the agreement: the next version, a history entry, a published event.
 * @param event.announcedAs the actor in the published event, if it differs from the history's
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

/** Marks a document as verified in the transparency log, with a history entry and an event. */
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

const worded = (line: Line): Line =>
  line.photos ? { ...line, detail: withSources(line.detail, line.photos) } : line;

/** Users whose approvals ended by another user's act. */
const endedForOthers = (before: Agreement, after: Agreement, actorId: string | null): string[] =>
  before.parties
    .filter(
      ({ userId, approved }) =>
        approved && findParty(after, userId)?.approved === false && userId !== actorId,
    )
    .map(({ userId }) => userId);

/** Publishes the change to the other services and to open screens. */
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
