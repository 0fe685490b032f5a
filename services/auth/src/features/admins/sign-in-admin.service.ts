/** The admins' door: name and password, a second factor where one is set up, and growing waits after failures. */
import { inTransaction } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import type { AdminRole } from '@karaar/contracts/kit';
import { keyed } from '../otp/otp.ts';
import { passkeyRequired } from '../passkeys/passkeys.errors.ts';
import { passkeysOf } from '../passkeys/passkeys.repository.ts';
import { openSession, type Origin } from '../sessions/sessions.service.ts';
import { invalidCredentials, totpRequired, totpWrong } from './admins.errors.ts';
import { findAdmin, useRecoveryCode, useTotpStep, type AdminRow } from './admins.repository.ts';
import { writeAudit } from './audit.service.ts';
import { beginAttempt, forgetAttempts, takeBack } from './attempts.repository.ts';
import { codeLockMs, passwordLockMs } from './backoff.ts';
import { isPassword, wastePasswordTime } from './password.ts';
import { isKnownPlace, notePlace } from './places.repository.ts';
import { recoveryDigest, totpStep } from './totp.ts';

export type Credentials = { username: string; password: string; totp?: string | undefined };
/** @property address of the caller, as `addressOf` says it */
export type From = { origin: Origin; address: string };
/** A sign-in whose password was right. */
type Tried = { admin: AdminRow; passwordKey: string; placeKey: string };

/**
 * Throws 401 for a wrong name or password in the same time, 401 `totp_required`, `totp_wrong` or `passkey_required` after
 * a right password, 429 while the caller has to wait.
 *
 * Passwords are counted by the name (also one that nobody has) and the caller's address: who guesses keeps nobody out but
 * the own address. Codes are counted by the admin, and only after a right password: from wherever they are guessed, it is
 * one count; an address from which this admin has signed in has a count of its own. Nothing is forgotten before both
 * have passed.
 */
export async function signInAdmin(
  ctx: Context,
  credentials: Credentials,
  from: From,
): Promise<{ token: string; username: string; role: AdminRole }> {
  const tried = await checkPassword(ctx, credentials, from);
  const { admin, passwordKey } = tried;
  if (await asksForPasskey(ctx, admin.id)) {
    await takeBack(ctx.db, passwordKey);
    throw passkeyRequired();
  }
  const codeKey = await checkCode(ctx, tried, credentials.totp);
  await pardon(ctx, [passwordKey, codeKey]);
  return admit(ctx, admin, from);
}

/** Whether this admin signs in with a passkey: where they are required, and wherever the admin has one. */
export async function asksForPasskey(ctx: Context, adminId: string): Promise<boolean> {
  return ctx.config.ADMIN_PASSKEYS === 'required' || (await passkeysOf(ctx.db, adminId)).length > 0;
}

/** Opens the session of an admin who has passed all that is asked for. */
export async function admit(
  ctx: Context,
  admin: AdminRow,
  { origin, address }: From,
): Promise<{ token: string; username: string; role: AdminRole }> {
  await notePlace(ctx.db, admin.id, placeKeyOf(ctx, admin.id, address));
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

/** Under what the passwords for a name are counted that come from an address. */
export const passwordKeyOf = (ctx: Context, username: string, { address }: From): string =>
  keyed(ctx.pepper, `admin\0${address}\0${username}`);

const placeKeyOf = (ctx: Context, adminId: string, address: string): string =>
  keyed(ctx.pepper, `admin-place\0${adminId}\0${address}`);

/** Forgets the failures under these keys. */
export const pardon = (ctx: Context, keys: readonly (string | undefined)[]): Promise<void> =>
  forgetAttempts(
    ctx.db,
    keys.filter((key) => key !== undefined),
  );

/** Whose name and password these are. The attempt stays counted until it is pardoned or taken back. */
export async function checkPassword(ctx: Context, credentials: Credentials, from: From): Promise<Tried> {
  const passwordKey = passwordKeyOf(ctx, credentials.username, from);
  await begin(ctx, passwordKey, passwordLockMs);
  const admin = await whosePassword(ctx, credentials);
  return { admin, passwordKey, placeKey: placeKeyOf(ctx, admin.id, from.address) };
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

/**
 * Throws 401 `totp_required`, `totp_wrong`, 429.
 * @param options.recoveryOnly no code of the authenticator app will do
 * @returns under what the admin's codes are counted here; undefined for one of whom no code is asked
 */
export async function checkCode(
  ctx: Context,
  { admin, passwordKey, placeKey }: Tried,
  code: string | undefined,
  { recoveryOnly = false }: { recoveryOnly?: boolean } = {},
): Promise<string | undefined> {
  if (!admin.totp_secret && !recoveryOnly) return undefined;
  if (code === undefined) {
    // The password was right: asking for the second factor is no failure, and pardons none.
    await takeBack(ctx.db, passwordKey);
    throw totpRequired();
  }
  const known = await isKnownPlace(ctx.db, admin.id, placeKey);
  const codeKey = keyed(ctx.pepper, `admin-code\0${admin.id}\0${known ? placeKey : ''}`);
  await begin(ctx, codeKey, codeLockMs);
  const isApp = !recoveryOnly && (await isAppCode(ctx, admin, code));
  if (!isApp && !(await useRecoveryCode(ctx.db, admin.id, recoveryDigest(ctx.pepper, admin.id, code)))) {
    await takeBack(ctx.db, passwordKey);
    throw totpWrong();
  }
  return codeKey;
}

/** Whether the authenticator app shows this code now. A code of the right time that was used already is wrong. */
async function isAppCode(ctx: Context, admin: AdminRow, given: string): Promise<boolean> {
  if (!admin.totp_secret) return false;
  const step = await totpStep(ctx.secrets.open(admin.totp_secret, admin.id), given, admin.totp_last_step);
  return step !== undefined && useTotpStep(ctx.db, admin.id, step);
}
