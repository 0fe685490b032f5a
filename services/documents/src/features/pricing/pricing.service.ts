/** The daily rate: readable and changeable by any logged-in user, every change kept (design §3 Pricing). */
import { toPaise } from '@karaar/contracts/charge';
import { inTransaction } from '@karaar/platform/db-kit';
import { notFound } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { fieldFault } from '../agreements/agreement.errors.ts';
import { requireCaller } from '../directory/directory.service.ts';
import { findPricing, insertPricing, type PricingHistory } from './pricing.repository.ts';

/** Throws 404 until a rate is set. */
export async function getPricing(ctx: Context): Promise<PricingHistory> {
  const pricing = await findPricing(ctx.db);
  if (!pricing)
    throw notFound('pricing_not_set', 'No daily rate is set yet; documents are charged ₹1 per day.');
  return pricing;
}

/** Sets the rate for documents created from now on. Throws 422 for more than two decimals. */
export async function setPricing(ctx: Context, userId: string, dailyRate: number): Promise<PricingHistory> {
  const author = await requireCaller(ctx, userId);
  await inTransaction(ctx.db, (tx) =>
    insertPricing(tx, { dailyRatePaise: parseRate(dailyRate), authorId: userId, authorName: author.name }),
  );
  return getPricing(ctx);
}

function parseRate(dailyRate: number): number {
  try {
    return toPaise(dailyRate);
  } catch {
    throw fieldFault('daily_rate', 'Please enter a valid daily rate');
  }
}
