/** The admins' door: name and password, a second factor where one is set up, and a growing wait after failures. */
import { inTransaction } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import type { AdminRole } from '@karaar/contracts/kit';
import { keyed } from '../otp/otp.ts';
import { openSession, type Origin } from '../sessions/sessions.service.ts';
import { invalidCredentials, totpRequired, totpWrong } from './admins.errors.ts';
import { findAdmin, useRecoveryCode, useTotpStep, type AdminRow } from './admins.repository.ts';
import { writeAudit } from './audit.service.ts';
import { beginAttempt, forgetAttempts } from './attempts.repository.ts';
import { lockMs } from './backoff.ts';
import { isPassword, wastePasswordTime } from './password.ts';
import { recoveryDigest, totpStep } from './totp.ts';

/**
 * Throws 401 for a wrong name or password in the same time, 401 `totp_required` or `totp_wrong` after a right
 * password, 429 while the name is locked – also one that nobody has.
 */
export async function signInAdmin(
  ctx: Context,
  credentials: { username: string; password: string; totp?: string | undefined },
  origin: Origin,
): Promise<{ token: string; username: string; role: AdminRole }> {
  const { username, password, totp } = credentials;
  const nameKey = keyed(ctx.pepper, `admin\0${username}`);
  const lockedUntil = await inTransaction(ctx.db, (tx) => beginAttempt(tx, nameKey, lockMs));
  if (lockedUntil) {
    const seconds = Math.ceil((lockedUntil.getTime() - Date.now()) / 1_000);
    throw tooManyRequests('Too many failed sign-ins. Please wait.', seconds);
  }
  const admin = await findAdmin(ctx.db, username);
  if (!admin) {
    await wastePasswordTime(password);
    throw invalidCredentials();
  }
  if (!(await isPassword(admin.password_hash, password))) throw invalidCredentials();
  if (admin.totp_secret) {
    if (totp === undefined) {
      // The password was right: asking for the second factor is no failure.
      await forgetAttempts(ctx.db, nameKey);
      throw totpRequired();
    }
    if (!(await passesSecondFactor(ctx, admin, admin.totp_secret, totp))) throw totpWrong();
  }
  await forgetAttempts(ctx.db, nameKey);
  const { token } = await openSession(ctx, origin, async () => ({
    id: admin.id,
    audience: 'admin' as const,
    role: admin.role,
  }));
  await inTransaction(ctx.db, (tx) =>
    writeAudit(ctx, tx, { adminId: admin.id, action: 'admin.signed-in', targetId: null, reason: '' }),
  );
  ctx.outbox.poke();
  return { token, username: admin.username, role: admin.role };
}

async function passesSecondFactor(
  ctx: Context,
  admin: AdminRow,
  sealed: Buffer,
  given: string,
): Promise<boolean> {
  const step = await totpStep(ctx.secrets.open(sealed, admin.id), given, admin.totp_last_step);
  if (step !== undefined) return useTotpStep(ctx.db, admin.id, step);
  return useRecoveryCode(ctx.db, admin.id, recoveryDigest(ctx.pepper, admin.id, given));
}
