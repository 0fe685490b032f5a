/** The admins' door: name and password, a second factor where one is set up, and growing waits after failures. */
import { inTransaction } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import type { AdminRole } from '@karaar/contracts/kit';
import { keyed } from '../otp/otp.ts';
import { openSession, type Origin } from '../sessions/sessions.service.ts';
import { invalidCredentials, totpRequired, totpWrong } from './admins.errors.ts';
import { findAdmin, useRecoveryCode, useTotpStep, type AdminRow } from './admins.repository.ts';
import { writeAudit } from './audit.service.ts';
import { beginAttempt, forgetAttempts, takeBack } from './attempts.repository.ts';
import { codeLockMs, passwordLockMs } from './backoff.ts';
import { isPassword, wastePasswordTime } from './password.ts';
import { isKnownPlace, notePlace } from './places.repository.ts';
import { recoveryDigest, totpStep } from './totp.ts';

type Credentials = { username: string; password: string; totp?: string | undefined };

/**
 * Throws 401 for a wrong name or password in the same time, 401 `totp_required` or `totp_wrong` after a right
 * password, 429 while the caller has to wait.
 *
 * Passwords are counted by the name (also one that nobody has) and the caller's address: who guesses keeps nobody out but
 * the own address. Codes are counted by the admin, and only after a right password: from wherever they are guessed, it is
 * one count; an address from which this admin has signed in has a count of its own. Nothing is forgotten before both
 * have passed.
 * @param address of the caller, as `addressOf` says it
 */
export async function signInAdmin(
  ctx: Context,
  credentials: Credentials,
  { origin, address }: { origin: Origin; address: string },
): Promise<{ token: string; username: string; role: AdminRole }> {
  const passwordKey = keyed(ctx.pepper, `admin\0${address}\0${credentials.username}`);
  await begin(ctx, passwordKey, passwordLockMs);
  const admin = await whosePassword(ctx, credentials);
  const placeKey = keyed(ctx.pepper, `admin-place\0${admin.id}\0${address}`);
  const codeKey = await checkSecondFactor(ctx, admin, credentials.totp, { passwordKey, placeKey });
  await forgetAttempts(ctx.db, codeKey === undefined ? [passwordKey] : [passwordKey, codeKey]);
  await notePlace(ctx.db, admin.id, placeKey);
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

/** Counts an attempt before it is looked at. Throws 429 while one has to wait. */
async function begin(ctx: Context, key: string, lockMs: (failures: number) => number): Promise<void> {
  const lockedUntil = await inTransaction(ctx.db, (tx) => beginAttempt(tx, key, lockMs));
  if (!lockedUntil) return;
  const seconds = Math.ceil((lockedUntil.getTime() - Date.now()) / 1_000);
  throw tooManyRequests('Too many failed sign-ins. Please wait.', seconds);
}

async function whosePassword(ctx: Context, { username, password }: Credentials): Promise<AdminRow> {
  const admin = await findAdmin(ctx.db, username);
  if (!admin) {
    await wastePasswordTime(password);
    throw invalidCredentials();
  }
  if (!(await isPassword(admin.password_hash, password))) throw invalidCredentials();
  return admin;
}

/** @returns under what the admin's codes are counted here; undefined for one without a second factor */
async function checkSecondFactor(
  ctx: Context,
  admin: AdminRow,
  code: string | undefined,
  { passwordKey, placeKey }: { passwordKey: string; placeKey: string },
): Promise<string | undefined> {
  if (!admin.totp_secret) return undefined;
  if (code === undefined) {
    // The password was right: asking for the second factor is no failure, and pardons none.
    await takeBack(ctx.db, passwordKey);
    throw totpRequired();
  }
  const known = await isKnownPlace(ctx.db, admin.id, placeKey);
  const codeKey = keyed(ctx.pepper, `admin-code\0${admin.id}\0${known ? placeKey : ''}`);
  await begin(ctx, codeKey, codeLockMs);
  if (!(await passesSecondFactor(ctx, admin, admin.totp_secret, code))) {
    await takeBack(ctx.db, passwordKey);
    throw totpWrong();
  }
  return codeKey;
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
