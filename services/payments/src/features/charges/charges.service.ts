import { durationDays, toPaise, totalPaise } from '@karaar/contracts/charge';
import { documentsInternalRpc, type Chargeable } from '@karaar/contracts/documents/inner';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { inTransaction, isUuid } from '@karaar/db';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import {
  alreadyPaid,
  changingNow,
  documentNotFound,
  notApproved,
  notInvolved,
  notPrimary,
  nothingToPay,
  otherDocument,
  shareOfStranger,
  sumsDiffer,
} from './charges.errors.ts';
import {
  dueShares,
  findDistribution,
  cancelUnstarted,
  isStaleVersion,
  livePayments,
  lockCharge,
  paymentsOfDocument,
  paymentsOfUser,
  replaceDistribution,
  type Distribution,
  type DueRow,
  type PaymentRow,
} from './charges.repository.ts';
import { afterShares, checkPortions, splitTotal, type Portion, type SetShare } from './distribution.ts';

export type ChargedDocument = Static<typeof Chargeable>;
export type Price = { document: ChargedDocument; days: number; totalPaise: number };
export type Charge = Price & {
  distribution: Distribution | undefined;
  live: PaymentRow[];
};
/** Sums that the client computed; checked, never trusted (design §3 Days and money). */
export type ClientSums = { total_amount?: number | undefined; duration_days?: number | undefined };
export type SetUp = ClientSums & { portions: Portion[]; document_id?: string | undefined };

/**
 * Returns the charge of a document for an involved user. Throws 404 for an unknown document, 403 for other
 * users, 503 without documents.
 */
export async function getCharge(
  ctx: Context,
  userId: string,
  documentId: string,
  atLeast?: number,
): Promise<Charge> {
  if (!isUuid(documentId)) throw documentNotFound();
  // Parallel, because the two reads do not depend on the price; without access the result is dropped.
  const [price, distribution, live] = await Promise.all([
    getPrice(ctx, userId, documentId, atLeast),
    findDistribution(ctx.db, documentId),
    livePayments(ctx.db, documentId),
  ]);
  return { ...price, distribution, live };
}

/**
 * Returns the price, which documents supplies. Throws like `getCharge`.
 * @param atLeast the oldest acceptable version of the document
 */
export async function getPrice(
  ctx: Context,
  userId: string,
  documentId: string,
  atLeast?: number,
): Promise<Price> {
  if (!isUuid(documentId)) throw documentNotFound();
  const { document } = await ctx.askDocuments(documentsInternalRpc.chargeable, {
    document_id: documentId,
    ...(atLeast === undefined ? {} : { at_least: atLeast }),
  });
  if (!document) throw documentNotFound();
  if (!document.involved_users.includes(userId)) throw notInvolved();
  const days = durationDays(document.start_date, document.end_date);
  return { document, days, totalPaise: totalPaise(document.daily_rate_paise, days) };
}

/** Throws 409 if the client's sums differ from the server's. */
export function checkSums(price: Price, sums: ClientSums): void {
  if (sums.duration_days !== undefined && sums.duration_days !== price.days) throw sumsDiffer();
  if (sums.total_amount === undefined) return;
  let paise: number;
  try {
    paise = toPaise(sums.total_amount);
  } catch {
    throw sumsDiffer();
  }
  if (paise !== price.totalPaise) throw sumsDiffer();
}

/** Returns true if all parties have approved and the document is approved or finalized. */
export const isPayable = ({ document }: Price): boolean =>
  document.all_approved && (document.status === 'approved' || document.status === 'finalized');

const ATTEMPTS = 5;

/**
 * Runs `work`, and repeats it with a newer snapshot version after a stale read (a party was leaving the
 * document). Throws 409 after `ATTEMPTS` stale reads.
 */
export async function retryStaleRead<T>(work: (atLeast?: number) => Promise<T | StaleRead>): Promise<T> {
  let atLeast: number | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const done = await work(atLeast);
    if (!(done instanceof StaleRead)) return done;
    atLeast = done.version + 1;
  }
  throw changingNow();
}

/** A stale read: a party has left this version of the document, or wants to. */
export class StaleRead {
  readonly version: number;
  constructor(document: ChargedDocument) {
    this.version = document.version;
  }
}

/**
 * Sets the shares. It replaces an earlier distribution and its opened payments, unless one is paid or in
 * progress. Throws 400, 403, 409 or 422.
 */
export async function setUpDistribution(
  ctx: Context,
  userId: string,
  id: string,
  setUp: SetUp,
): Promise<Charge> {
  return retryStaleRead((atLeast) => setUpOnce(ctx, userId, id, { ...setUp, atLeast }));
}

/** Throws 403 for any user but the creator of the document. */
export function requirePrimary({ document }: Pick<Charge, 'document'>, userId: string): void {
  if (document.primary_user !== userId) throw notPrimary();
}

async function setUpOnce(
  ctx: Context,
  userId: string,
  id: string,
  setUp: SetUp & { atLeast: number | undefined },
): Promise<Charge | StaleRead> {
  const charge = await getCharge(ctx, userId, id, setUp.atLeast);
  const { document } = charge;
  const { document_id: documentId } = document;
  const { portions } = setUp;
  requirePrimary(charge, userId);
  if (setUp.document_id !== undefined && setUp.document_id.toLowerCase() !== documentId)
    throw otherDocument();
  if (!isPayable(charge)) throw notApproved();
  checkPortions(portions);
  if (portions.some((portion) => !document.involved_users.includes(portion.userId))) throw shareOfStranger();
  checkSums(charge, setUp);
  if (charge.totalPaise <= 0) throw nothingToPay();
  const stale = await inTransaction(ctx.db, async (tx) => {
    await lockCharge(tx, documentId);
    if (await isStaleVersion(tx, documentId, document.version)) return true;
    await cancelUnstarted(tx, documentId);
    if ((await livePayments(tx, documentId)).length > 0) throw alreadyPaid();
    const replaced = (await findDistribution(tx, documentId))?.shares ?? [];
    const shares = afterShares(replaced, splitTotal(charge.totalPaise, portions));
    await replaceDistribution(tx, {
      documentId,
      documentName: document.name,
      totalPaise: charge.totalPaise,
      durationDays: charge.days,
      createdBy: userId,
      documentVersion: document.version,
      shares,
    });
    await ctx.outbox.add(tx, paymentsEvents.sharesChanged, {
      aggregateId: documentId,
      aggregateVersion: document.version,
      data: {
        document_id: documentId,
        set_by: userId,
        shares: changesOf(replaced, shares),
      },
    });
    return false;
  });
  if (stale) return new StaleRead(document);
  return { ...charge, live: [], distribution: await findDistribution(ctx.db, documentId) };
}

/** Returns the amount of each party and the one that it replaces; 0 for a party whose share was removed. */
function changesOf(replaced: readonly SetShare[], shares: readonly SetShare[]) {
  const old = new Map(replaced.map(({ userId, amountPaise }) => [userId, amountPaise]));
  const dropped = replaced.filter(({ userId }) => shares.every((share) => share.userId !== userId));
  return [...shares, ...dropped.map(({ userId }) => ({ userId, amountPaise: 0 }))].map(
    ({ userId, amountPaise }) => {
      const replacedPaise = old.get(userId);
      return {
        user_id: userId,
        amount_paise: amountPaise,
        ...(replacedPaise === undefined ? {} : { replaced_paise: replacedPaise }),
      };
    },
  );
}

/**
 * Returns all payments of a document for an involved user, including failed ones. Throws like `getCharge`.
 */
export async function listDocumentPayments(
  ctx: Context,
  userId: string,
  documentId: string,
): Promise<PaymentRow[]> {
  const { document } = await getCharge(ctx, userId, documentId);
  return paymentsOfDocument(ctx.db, document.document_id);
}

export const listDue = (ctx: Context, userId: string): Promise<DueRow[]> => dueShares(ctx.db, userId);

/** Returns whether the user has a share of this document that is neither paid nor in payment. */
export const owesShare = async (ctx: Context, userId: string, documentId: string): Promise<boolean> =>
  (await dueShares(ctx.db, userId, documentId)).length > 0;

export const listMyPayments = (ctx: Context, userId: string): Promise<PaymentRow[]> =>
  paymentsOfUser(ctx.db, userId);
