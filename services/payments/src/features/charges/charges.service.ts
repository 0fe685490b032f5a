/** What a document costs, who pays which share, and how far that is. */
import { durationDays, toPaise, totalPaise } from '@karaar/contracts/charge';
import { documentsQuestions, type Chargeable } from '@karaar/contracts/documents/inner';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { inTransaction, isUuid } from '@karaar/platform/db-kit';
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
  findDistribution,
  cancelUnstarted,
  isStale,
  livePayments,
  lockCharge,
  paymentsOfDocument,
  paymentsOfUser,
  replaceDistribution,
  type Distribution,
  type PaymentRow,
} from './charges.repository.ts';
import { checkPortions, splitTotal, type Portion } from './distribution.ts';

export type ChargedDocument = Static<typeof Chargeable>;
/** What is charged for a document, without what is known of its shares. */
export type Price = { document: ChargedDocument; days: number; totalPaise: number };
export type Charge = Price & {
  distribution: Distribution | undefined;
  /** Pending and completed payments; failed ones pay nothing. */
  live: PaymentRow[];
};
/** What a client says it computed; checked, never trusted (design §3 Days and money). */
export type ClientSums = { total_amount?: number | undefined; duration_days?: number | undefined };
export type SetUp = ClientSums & { portions: Portion[]; document_id?: string | undefined };

/** The charge of a document, for an involved user. 404 for an unknown document, 403 for others, 503 without documents. */
export async function getCharge(
  ctx: Context,
  userId: string,
  documentId: string,
  atLeast?: number,
): Promise<Charge> {
  if (!isUuid(documentId)) throw documentNotFound();
  // Nothing of the two depends on the answer; who may not see them gets nothing of them.
  const [price, distribution, live] = await Promise.all([
    getPrice(ctx, userId, documentId, atLeast),
    findDistribution(ctx.db, documentId),
    livePayments(ctx.db, documentId),
  ]);
  return { ...price, distribution, live };
}

/**
 * The price alone, asked of documents. Throws as `getCharge`.
 * @param atLeast the version of the document that the answer must have come to
 */
export async function getPrice(
  ctx: Context,
  userId: string,
  documentId: string,
  atLeast?: number,
): Promise<Price> {
  if (!isUuid(documentId)) throw documentNotFound();
  const { document } = await ctx.askDocuments(documentsQuestions.chargeable, {
    document_id: documentId,
    ...(atLeast === undefined ? {} : { at_least: atLeast }),
  });
  if (!document) throw documentNotFound();
  if (!document.involved_users.includes(userId)) throw notInvolved();
  const days = durationDays(document.start_date, document.end_date);
  return { document, days, totalPaise: totalPaise(document.daily_rate_paise, days) };
}

/** Throws 409 when the client's sums are not the server's. */
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

/** Payable while approved or finalized, once everybody has approved. */
export const isPayable = ({ document }: Price): boolean =>
  document.all_approved && (document.status === 'approved' || document.status === 'finalized');

const ATTEMPTS = 5;

/**
 * Does what starts on the word of documents, again with a newer word where that was too old: a party was leaving the
 * document. Throws 409 when it is too old time and again.
 */
export async function onFreshWord<T>(work: (atLeast?: number) => Promise<T | Stale>): Promise<T> {
  let atLeast: number | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const done = await work(atLeast);
    if (!(done instanceof Stale)) return done;
    atLeast = done.version + 1;
  }
  throw changingNow();
}

/** The document of this version is not what is there any more. */
export class Stale {
  readonly version: number;
  constructor(document: ChargedDocument) {
    this.version = document.version;
  }
}

/**
 * Sets the shares; replaces an earlier distribution while nothing is paid or being paid, and with it the
 * payments that were opened for its shares. Throws 400, 403, 409 or 422.
 */
export async function setUpDistribution(
  ctx: Context,
  userId: string,
  id: string,
  setUp: SetUp,
): Promise<Charge> {
  return onFreshWord((atLeast) => setUpOnce(ctx, userId, id, { ...setUp, atLeast }));
}

async function setUpOnce(
  ctx: Context,
  userId: string,
  id: string,
  setUp: SetUp & { atLeast: number | undefined },
): Promise<Charge | Stale> {
  const charge = await getCharge(ctx, userId, id, setUp.atLeast);
  const { document } = charge;
  const { document_id: documentId } = document;
  const { portions } = setUp;
  if (document.primary_user !== userId) throw notPrimary();
  if (setUp.document_id !== undefined && setUp.document_id.toLowerCase() !== documentId)
    throw otherDocument();
  if (!isPayable(charge)) throw notApproved();
  checkPortions(portions);
  if (portions.some((portion) => !document.involved_users.includes(portion.userId))) throw shareOfStranger();
  checkSums(charge, setUp);
  if (charge.totalPaise <= 0) throw nothingToPay();
  const stale = await inTransaction(ctx.db, async (tx) => {
    await lockCharge(tx, documentId);
    if (await isStale(tx, documentId, document.version)) return true;
    await cancelUnstarted(tx, documentId);
    if ((await livePayments(tx, documentId)).length > 0) throw alreadyPaid();
    const shares = splitTotal(charge.totalPaise, portions);
    await replaceDistribution(tx, {
      documentId,
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
        shares: shares.map((share) => ({ user_id: share.userId, amount_paise: share.amountPaise })),
      },
    });
    return false;
  });
  if (stale) return new Stale(document);
  return { ...charge, live: [], distribution: await findDistribution(ctx.db, documentId) };
}

/** All payments of a document, failed ones too, for an involved user. Throws as `getCharge`. */
export async function listDocumentPayments(
  ctx: Context,
  userId: string,
  documentId: string,
): Promise<PaymentRow[]> {
  const { document } = await getCharge(ctx, userId, documentId);
  return paymentsOfDocument(ctx.db, document.document_id);
}

export const listMyPayments = (ctx: Context, userId: string): Promise<PaymentRow[]> =>
  paymentsOfUser(ctx.db, userId);
