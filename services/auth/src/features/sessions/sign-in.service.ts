/** The two doors: users by one-time code, admins by password. */
import { badRequest, tooManyRequests, unauthorized } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { deactivated } from '../accounts/accounts.errors.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';
import { findAdmin, recordFailure, recordSuccess } from '../admins/admins.repository.ts';
import { lockMs } from '../admins/backoff.ts';
import { isPassword, wastePasswordTime } from '../admins/password.ts';
import { normalizePhone } from '../otp/otp.ts';
import { redeemOtp } from '../otp/otp.service.ts';
import { openSession } from './sessions.service.ts';

/** Throws 400 for a wrong code – also for a number without an account –, 403 for a deactivated user. */
export async function signIn(
  ctx: Context,
  phone: string,
  code: string,
): Promise<{ token: string; user: UserRow }> {
  await redeemOtp(ctx, phone, code);
  const user = await ctx.findUserByPhone(normalizePhone(phone));
  if (!user) throw badRequest('otp_wrong', 'This code is wrong or has expired. Ask for a new one.');
  if (user.status !== 'active') throw deactivated();
  const token = await openSession(ctx, { id: user.id, audience: 'user', charId: user.char_id });
  return { token, user };
}

/** Throws 401 for a wrong username or password in the same time, 429 while the account is locked out. */
export async function signInAdmin(ctx: Context, username: string, password: string): Promise<string> {
  const admin = await findAdmin(ctx.db, username);
  if (!admin) {
    await wastePasswordTime(password);
    throw invalidCredentials();
  }
  const lockedMs = admin.locked_until ? admin.locked_until.getTime() - Date.now() : 0;
  if (lockedMs > 0)
    throw tooManyRequests('Too many failed sign-ins. Please wait.', Math.ceil(lockedMs / 1_000));
  if (!(await isPassword(admin.password_hash, password))) {
    await recordFailure(ctx.db, admin.id, lockMs(admin.failures + 1));
    throw invalidCredentials();
  }
  await recordSuccess(ctx.db, admin.id);
  return openSession(ctx, { id: admin.id, audience: 'admin', role: admin.role });
}

const invalidCredentials = () => unauthorized('invalid_credentials', 'Invalid admin credentials');
