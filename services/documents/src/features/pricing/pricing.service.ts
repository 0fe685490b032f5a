/**
 * The daily rate: all users can read it; admins, and users if the configuration allows it, can change it.
 * Every change is stored and published (design §3 Pricing).
 */
import { adminActs } from '@karaar/contracts/admin';
import { toPaise } from '@karaar/contracts/charge';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction } from '@karaar/db';
import { usersMaySetPrice } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { requireCaller } from '../directory/directory.service.ts';
import { priceIsAdmins, pricingNotSet, pricingNotSetByAdmins, userEditingOff } from './pricing.errors.ts';
import {
  findPricing,
  insertPricing,
  insertUserEditing,
  isUserEditingOn,
  latestChanges,
  lockPricing,
  type PricingHistory,
  type PricingRow,
} from './pricing.repository.ts';
import { fieldFault } from '../../errors.ts';

export type PricingState = PricingHistory & { userEditing: boolean };

/** Who changes the rate. Admins have no name that users know. */
export type PricingAuthor = { kind: 'user' | 'admin'; id: string };

const ADMIN_NAME = 'Administrator';
const HISTORY_SHOWN = 100;

/** Returns the rate and its history. Throws 404 before the first rate. */
export async function getPricing(ctx: Context): Promise<PricingState> {
  const [pricing, open] = [await findPricing(ctx.db), await userEditing(ctx)];
  if (!pricing) throw open ? pricingNotSet() : pricingNotSetByAdmins();
  return { ...pricing, userEditing: open };
}

/**
 * Sets the rate for documents created from now on.
 *
 * @param dailyRate rupees
 * @throws 422 for more than two decimals; 403 for a user if the configuration or an admin reserves changes
 * for admins
 */
export async function setPricing(
  ctx: Context,
  author: PricingAuthor,
  dailyRate: number,
): Promise<PricingState> {
  const dailyRatePaise = parseRate(dailyRate);
  const authorName = author.kind === 'user' ? (await requireCaller(ctx, author.id)).name : ADMIN_NAME;
  await inTransaction(ctx.db, async (tx) => {
    await lockPricing(tx);
    if (author.kind === 'user' && !(await userEditing({ ...ctx, db: tx }))) throw userEditingOff();
    const version = await insertPricing(tx, { dailyRatePaise, authorId: author.id, authorName });
    await ctx.outbox.add(tx, documentsEvents.pricingChanged, {
      aggregateId: 'pricing',
      aggregateVersion: version,
      data: { daily_rate_paise: dailyRatePaise, author_id: author.id },
    });
    if (author.kind === 'admin')
      await recordAct(ctx.outbox, tx, adminActs.documents, {
        adminId: author.id,
        action: 'pricing.changed',
        target: `₹${dailyRate.toFixed(2)}`,
      });
  });
  ctx.outbox.wake();
  return getPricing(ctx);
}

export const pricingHistory = (ctx: Context): Promise<PricingRow[]> => latestChanges(ctx.db, HISTORY_SHOWN);

/** Returns true if users may change the rate: the configuration allows it, and no admin has switched it off. */
export const userEditing = async ({ config, db }: Pick<Context, 'config'> & { db: Db }): Promise<boolean> =>
  usersMaySetPrice(config) && isUserEditingOn(db);

/**
 * Switches price changes by users on or off. A concurrent change by a user is either complete or refused.
 * Throws 409 if the configuration does not allow the switch.
 */
export async function setUserEditing(ctx: Context, adminId: string, enabled: boolean): Promise<boolean> {
  if (enabled && !usersMaySetPrice(ctx.config)) throw priceIsAdmins();
  await inTransaction(ctx.db, async (tx) => {
    await lockPricing(tx);
    if ((await isUserEditingOn(tx)) === enabled) return;
    await insertUserEditing(tx, enabled, adminId);
    await recordAct(ctx.outbox, tx, adminActs.documents, {
      adminId,
      action: 'pricing.user-editing',
      target: enabled ? 'on' : 'off',
    });
  });
  ctx.outbox.wake();
  return enabled;
}

function parseRate(dailyRate: number): number {
  try {
    return toPaise(dailyRate);
  } catch {
    throw fieldFault('daily_rate', 'Please enter a valid daily rate');
  }
}
