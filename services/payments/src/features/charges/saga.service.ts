/**
 * The payment saga (design §3 Payment saga): write the intent (together with the payment, if it is paid at
 * once), ask the wallet for a debit under the payment's key, record the outcome. Each step is one
 * transaction. A crash leaves a pending payment with an intent, which the sweeper finishes; the key makes the
 * debit happen at most once.
 */
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import { inTransaction, isUuid } from '@karaar/db';
import { AppError } from '@karaar/base/errors';
import { confirmedAct } from '@karaar/service/step-up';
import type { Context } from '../../context.ts';
import {
  noShare,
  nothingToPay,
  notSetUp,
  notVerified,
  notYours,
  paymentFailed,
  paymentNotFound,
  paymentReversed,
  tooManyUnfunded,
} from './charges.errors.ts';
import {
  findDistribution,
  findPayment,
  markFailed,
  markStarted,
  recentlyFailed,
  type PaymentRow,
} from './charges.repository.ts';
import {
  checkSums,
  getPrice,
  isPayable,
  retryStaleRead,
  StaleRead,
  type ChargedDocument,
  type ClientSums,
} from './charges.service.ts';

/** Returns the caller's pending payment for a document, and creates it if needed. Moves no money. */
export async function createPayment(ctx: Context, userId: string, documentId: string): Promise<PaymentRow> {
  return preparePayment(ctx, { userId, documentId, sums: {}, start: false });
}

/**
 * Pays the caller's share once; repeating it returns the same payment. Throws like `confirmedAct` if a large
 * payment lacks the confirmation by passkey.
 */
export async function pay(
  ctx: Context,
  userId: string,
  documentId: string,
  { sums, grant }: { sums: ClientSums; grant: string | undefined },
): Promise<PaymentRow> {
  const payment = await preparePayment(ctx, { userId, documentId, sums, start: 'small' });
  if (payment.status === 'completed') return payment;
  if (payment.started_at) return debitAndRecord(ctx, payment);
  await requireConfirmed(ctx, payment, grant);
  return execute(ctx, payment);
}

/**
 * Executes the caller's own pending payment. Throws 404, 403, 409 for a failed or reversed payment, and like
 * `confirmedAct` if a large payment lacks the confirmation by passkey.
 */
export async function confirmPayment(
  ctx: Context,
  userId: string,
  id: string,
  grant: string | undefined,
): Promise<PaymentRow> {
  const payment = isUuid(id) ? await findPayment(ctx.db, id) : undefined;
  if (!payment) throw paymentNotFound();
  if (payment.user_id !== userId) throw notYours();
  if (payment.status === 'failed') throw paymentFailed();
  if (payment.status === 'reversed') throw paymentReversed();
  if (payment.status === 'completed') return payment;
  const [price] = await Promise.all([getPrice(ctx, userId, payment.document_id), refuseTooMany(ctx, userId)]);
  if (!isPayable(price)) throw notVerified();
  await requireConfirmed(ctx, payment, grant);
  return execute(ctx, payment);
}

/** Requires and uses up a grant for a payment above the limit. A payment in progress was confirmed before. */
async function requireConfirmed(
  ctx: Context,
  { user_id: userId, document_id, amount_paise, started_at }: PaymentRow,
  grant: string | undefined,
): Promise<void> {
  if (started_at || amount_paise <= ctx.config.STEP_UP_ABOVE_PAISE) return;
  const act = { action: 'pay' as const, document_id, amount_paise };
  const ask = (user_id: string) => ctx.askDocuments(documentsInternalRpc.stepUp, { user_id });
  const step = await confirmedAct(ask, { userId, act }, grant);
  await inTransaction(ctx.db, (tx) => step.spend(tx));
}

/** Each such payment leaves permanent rows here and in the wallet, so their number is limited. Throws 429. */
async function refuseTooMany(ctx: Context, userId: string): Promise<void> {
  const most = ctx.config.UNFUNDED_PER_HOUR;
  if ((await recentlyFailed(ctx.db, userId, most)) >= most) throw tooManyUnfunded();
}

/** `small` starts a payment at once, unless it may be above the limit for confirmation. */
type PaymentRequest = { userId: string; documentId: string; sums: ClientSums; start: 'small' | false };

const preparePayment = (ctx: Context, request: PaymentRequest): Promise<PaymentRow> =>
  retryStaleRead((atLeast) => prepareOnce(ctx, request, atLeast));

async function prepareOnce(
  ctx: Context,
  { userId, documentId, sums, start }: PaymentRequest,
  atLeast: number | undefined,
): Promise<PaymentRow | StaleRead> {
  const price = await getPrice(ctx, userId, documentId, atLeast);
  // The documents service's spelling of the id, so that every spelling takes the same lock.
  const { document_id: id, name, primary_user: primaryUser } = price.document;
  try {
    if (!isPayable(price)) throw notVerified();
    checkSums(price, sums);
  } catch (error) {
    // A user without a share gets that error before any other.
    if (!(await mayPay(ctx, userId, price.document))) throw noShare();
    throw error;
  }
  const opened = await ctx.steps.open({
    documentId: id,
    documentVersion: price.document.version,
    documentName: name,
    userId,
    // No share is larger than the total.
    start: start === 'small' && price.totalPaise <= ctx.config.STEP_UP_ABOVE_PAISE,
    mostUnfunded: start === 'small' ? ctx.config.UNFUNDED_PER_HOUR : null,
  });
  switch (opened) {
    case 'stale':
      return new StaleRead(price.document);
    case 'not_set_up':
      throw userId === primaryUser ? notSetUp() : noShare();
    case 'no_share':
      throw noShare();
    case 'nothing_to_pay':
      throw nothingToPay();
    case 'too_many_unfunded':
      throw tooManyUnfunded();
    default:
      return opened;
  }
}

async function mayPay(ctx: Context, userId: string, document: ChargedDocument): Promise<boolean> {
  if (document.primary_user === userId) return true;
  const distribution = await findDistribution(ctx.db, document.document_id);
  return distribution?.shares.some((share) => share.userId === userId) === true;
}

/**
 * Executes a payment that was opened before. If the balance is too small, the payment fails. If the outcome
 * is unknown (503), it stays pending, and the sweeper resolves it.
 */
export async function execute(ctx: Context, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.status === 'completed') return payment;
  if (!(await markStarted(ctx.db, payment.id))) {
    const current = await findPayment(ctx.db, payment.id);
    if (current?.status === 'completed') return current;
    if (current?.status === 'reversed') throw paymentReversed();
    // Cancelled before any debit was requested. If the wallet refused it meanwhile, the debit is requested
    // again below, so that the caller gets the wallet's reason; the wallet goes on refusing its key.
    if (!current?.started_at) throw paymentFailed();
  }
  return debitAndRecord(ctx, payment);
}

async function debitAndRecord(ctx: Context, payment: PaymentRow): Promise<PaymentRow> {
  let transferId: string;
  try {
    const debited = await ctx.askWallet(walletInternalRpc.debit, {
      idempotency_key: `payment:${payment.id}`,
      user_id: payment.user_id,
      amount_paise: payment.amount_paise,
      description: describe(payment.document_name),
      reference: payment.document_id,
    });
    transferId = debited.transfer_id;
  } catch (error) {
    // Only this refusal proves that nothing was debited; after any other the sweeper resolves the payment.
    if (isUnfunded(error)) await markFailed(ctx.db, payment.id);
    throw error;
  }
  const completed = await ctx.steps.complete({ payment, transferId });
  ctx.outbox.wake();
  return completed;
}

/** Returns true if the wallet holds too little: nothing was debited, and never will be under this key. */
export const isUnfunded = (error: unknown): boolean => error instanceof AppError && error.status === 402;

/**
 * Finishes an interrupted payment. While its share is payable and the payment request is recent, it requests
 * the debit again. Otherwise the wallet either reports the debit or refuses its key from then on.
 */
export async function finish(ctx: Context, payment: PaymentRow): Promise<PaymentRow | undefined> {
  if (await isStillWanted(ctx, payment)) return debitAndRecord(ctx, payment);
  const { transfer_id } = await ctx.askWallet(walletInternalRpc.cancelDebit, {
    idempotency_key: `payment:${payment.id}`,
    user_id: payment.user_id,
    amount_paise: payment.amount_paise,
  });
  if (transfer_id === null) {
    await markFailed(ctx.db, payment.id);
    return undefined;
  }
  const completed = await ctx.steps.complete({ payment, transferId: transfer_id });
  ctx.outbox.wake();
  return completed;
}

/** Throws while documents is down. */
async function isStillWanted(ctx: Context, payment: PaymentRow): Promise<boolean> {
  const started = payment.started_at?.getTime() ?? 0;
  if (Date.now() - started > ctx.config.INTENT_EXPIRES_S * 1_000) return false;
  try {
    return isPayable(await getPrice(ctx, payment.user_id, payment.document_id));
  } catch (error) {
    // The document was deleted, or the payer is no longer a party.
    if (error instanceof AppError && (error.status === 403 || error.status === 404)) return false;
    throw error;
  }
}

/** The wallet accepts 200 characters; this does not split surrogate pairs. */
const describe = (documentName: string): string => [...`Payment for ${documentName}`].slice(0, 200).join('');
