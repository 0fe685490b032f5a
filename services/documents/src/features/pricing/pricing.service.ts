/**
 * The daily rate: readable by any logged-in user, changeable by admins and, where the installation lets them, by users; every
 * change is kept and announced (design §3 Pricing).
 */
import { adminActs } from '@karaar/contracts/admin';
import { toPaise } from '@karaar/contracts/charge';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { recordAct } from '@karaar/platform/admin-acts';
import { inTransaction } from '@karaar/platform/db-kit';
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

/** The admin who changes the rate. An admin is not a user and has no name that users know. */
export type PricingAuthor = { kind: 'user' | 'admin'; id: string };

const ADMIN_NAME = 'Administrator';
const HISTORY_SHOWN = 100;

/** Throws 404 until a rate is set. */
export async function getPricing(ctx: Context): Promise<PricingState> {
  const [pricing, open] = [await findPricing(ctx.db), await userEditing(ctx)];
  if (!pricing) throw open ? pricingNotSet() : pricingNotSetByAdmins();
  return { ...pricing, userEditing: open };
}

/**
 * Sets the rate for documents created from now on.
 *
 * @param dailyRate rupees
 * @throws 422 for more than two decimals, 403 for a user where admins alone set it or have switched editing by users off
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

/** The last changes, newest first. */
export const pricingHistory = (ctx: Context): Promise<PricingRow[]> => latestChanges(ctx.db, HISTORY_SHOWN);

/** Whether users may change the rate: the configuration allows it, and no admin has switched it off. */
export const userEditing = async ({ config, db }: Pick<Context, 'config'> & { db: Db }): Promise<boolean> =>
  usersMaySetPrice(config) && isUserEditingOn(db);

/**
 * The admins' switch. A user's change that began before it is either complete or refused. Throws 409 for switching on
 * what the configuration does not allow.
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
